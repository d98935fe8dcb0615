/** Returns the name that `text` was probably meant to be; undefined if none is near. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Math.min(text.length, 32) / 2
  for (const name of names) {
    const distance = editDistance(text.slice(0, 64).toLowerCase(), name.toLowerCase())
    if (distance >= least) continue
    nearest = name
    least = distance
  }
  return nearest
}

/** The number of characters to insert, delete or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({length: b.length + 1}, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + Number(a[row - 1] !== b[column - 1])
      const moved = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1
      current.push(Math.min(replaced, moved))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
