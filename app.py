"""The app: its pages, and what stands around them."""

import streamlit as st

if __name__ == "__main__":
    # Streamlit runs this for every visitor.
    from pages.shell import navigation, page_shell

    with page_shell.TURNS.taken():
        page = navigation.current()
        page_shell.open_page(page.url_path)
        page.run()


def __getattr__(name: str) -> st.App:
    """What `streamlit run app.py` serves, which looks for the assignment below in this file.

    Without it Streamlit would serve the script past our first page and our gate, and tell the first
    visitor of a server who comes by a link that there is no such page. It is made when it is asked
    for: whoever imports this file otherwise starts no server.
    """
    if name != "app":
        raise AttributeError(name)
    import server

    app = st.App("app.py", **server.OPTIONS)
    return app  # noqa: RET504 - the name is what Streamlit looks for
