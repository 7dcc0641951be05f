"""The app: its pages, and what stands around them."""

from pages.shell import navigation, page_shell

with page_shell.TURNS.taken():
    page = navigation.current()
    page_shell.open_page(page.url_path)
    page.run()
