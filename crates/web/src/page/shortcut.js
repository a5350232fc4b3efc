// Keys by the names that the pages give their shortcuts.
// @ts-check

/**
 * The name of a key that was pressed: "u", "ArrowLeft", "Ctrl+z", "Ctrl+Shift+z". Caps Lock
 * changes nothing, and a Mac's command key is as good as the control key. Where a key writes
 * no Latin letter, its place counts, named by the letter that is there on most keyboards.
 * @param {KeyboardEvent} event
 */
export function shortcut({ key, code, ctrlKey, metaKey, shiftKey }) {
  const latin = key.length === 1 && key > "~" ? (/^Key(.)$/.exec(code)?.[1] ?? key) : key;
  const name = latin.length === 1 ? latin.toLowerCase() : latin;
  return ctrlKey || metaKey ? `Ctrl+${shiftKey ? "Shift+" : ""}${name}` : name;
}
