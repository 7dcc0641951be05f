"""The app: its pages, and what stands around them."""

from pages.shared import frame, navigation

page = navigation.current()
frame.open_page(page.url_path)
page.run()
