/** Runs without the rights of root, to whom every folder is open. */
export async function asUnprivileged(act: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.('nobody')
  try {
    await act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
