/**
 * Puts a text on the clipboard. The modern way needs a secure page and may be refused by a policy or a frame; the old
 * way needs a selection. When both are refused the text is left selected where the customer sees it.
 */
export async function copyText(text: string, shown: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text, shown)
  }
}

function copySelected(text: string, shown: Element): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'unseen'
  const root = shown.getRootNode()
  const focused = root instanceof ShadowRoot ? root.activeElement : document.activeElement
  // Beside the text, not in the body: everything outside an open dialog is inert.
  shown.after(field)
  field.select()
  let isCopied = false
  try {
    isCopied = document.execCommand('copy')
  } catch {
    // Refused by a policy.
  }
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) getSelection()?.selectAllChildren(shown)
  return isCopied
}
