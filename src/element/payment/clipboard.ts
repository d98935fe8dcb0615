import {withTimeout, type Clock} from '../../contract/clock.js'

const TIMEOUT_MS = 1_000

/**
 * Copies a text. `clipboard.writeText` needs a secure context, and a permissions policy or a frame may refuse it or leave
 * it pending; then `execCommand` copies a selection. If both fail, `source` stays selected, so that the customer can copy it.
 */
export async function copyText(clock: Clock, text: string, source: Element): Promise<boolean> {
  const write = () => navigator.clipboard.writeText(text).then(() => true)
  const isWritten = await withTimeout(clock, TIMEOUT_MS, write, () => false).catch(() => false)
  return isWritten || copySelection(text, source)
}

function copySelection(text: string, source: Element): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  const root = source.getRootNode()
  const focused = root instanceof ShadowRoot ? root.activeElement : document.activeElement
  // Beside the source, not in the body: everything outside an open dialog is inert.
  source.after(field)
  field.select()
  let isExact = false
  field.addEventListener('copy', event => (isExact = setText(event, text)))
  let isCopied = false
  try {
    isCopied = document.execCommand('copy') && isExact
  } catch {
    // A policy forbids the command.
  }
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) getSelection()?.selectAllChildren(source)
  return isCopied
}

/** A customer selects amount or address and copies it by hand. */
export function copyExactly(event: Event): void {
  const [target] = event.composedPath()
  const field =
    target instanceof Element && target.closest('[part=amount], [part=address], [part=exchange-amount]')
  if (field && event instanceof ClipboardEvent) setText(event, field.textContent)
}

/**
 * Listeners of the page get no chance to change what is copied, unless they came first and have ended the event.
 *
 * @returns false if one of them has
 */
function setText(event: ClipboardEvent, text: string): boolean {
  if (event.defaultPrevented || !event.clipboardData) return false
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
  event.stopPropagation()
  return true
}
