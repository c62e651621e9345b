"""The browser and the server of the shared tests."""

from browser.conftest import ann, browser, new_context, page, server, usual, watch  # noqa: F401
