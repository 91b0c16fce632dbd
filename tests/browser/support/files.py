"""Games as files and as text: chosen, dropped on the page, pasted."""

from playwright.sync_api import FilePayload
from tests.browser.support.person import Person

_DROP = """([name, bytes, types]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name));
    for (const type of types)
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
}"""
_PASTE = """text => {
    const carried = new DataTransfer();
    carried.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true }));
}"""


def payload(name: str, file: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": file}


def choose_file(person: Person, name: str, file: bytes) -> None:
    """By the button, as on a phone or with a keyboard."""
    person.page.get_by_label("Open a game file").set_input_files(payload(name, file))


def drop_file(person: Person, name: str, file: bytes, *types: str) -> None:
    """Drag a file over the page, and let it fall."""
    person.page.evaluate(_DROP, [name, list(file), list(types) or ["dragenter", "dragover", "drop"]])


def paste(person: Person, text: str) -> None:
    person.page.evaluate(_PASTE, text)
