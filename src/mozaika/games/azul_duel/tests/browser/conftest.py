"""The browser and the server of the shared tests."""

from browser.conftest import ann, browser, contexts, new_context, page, server, watch  # noqa: F401
