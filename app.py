"""The app: its pages, and what stands around them."""

import streamlit as st

if __name__ == "__main__":
    # Streamlit runs this for every visitor.
    from pages.shell import navigation, page_shell

    with page_shell.TURNS.taken():
        page = navigation.current()
        page_shell.open_page(page.url_path)
        page.run()
else:
    # `streamlit run app.py` looks for these words in this file. Without them it would serve the
    # script past our first page and our gate, and tell the first visitor of a server who comes by
    # a link that there is no such page.
    import server

    app = st.App("app.py", **server.OPTIONS)
