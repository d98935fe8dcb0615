/**
 * A proof is a figure with the command that gave it, the date, and the code that it speaks of: one JSON file in
 * `docs/proof/` for each. `docs/proof.md` is made from these alone (`npm run proof`).
 *
 * A proof is out of date when more than a quarter of that code, counted in lines of files that changed, came or went,
 * is another than it was. Less than that, and the old figure still tells roughly what is so.
 */
import {createHash} from 'node:crypto'
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import * as z from 'zod/mini'

const figureSchema = z.union([z.number(), z.string()])

const proofSchema = z.object({
  name: z.string(),
  /** What anybody can type to have it again. */
  command: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Files, and folders with all that is in them. */
  describes: z.array(z.string()),
  /** Of all of `code`. */
  hash: z.string(),
  /** What these files were: `<lines> <hash>` by path. */
  code: z.record(z.string(), z.string()),
  /** A list, or a table by row and column. */
  figures: z.record(z.string(), z.union([figureSchema, z.record(z.string(), figureSchema)])),
})

export type Figure = z.infer<typeof figureSchema>
export type Proof = z.infer<typeof proofSchema>

export const TOLERANCE = 0.25
export const proofs = 'docs/proof'

export function keep(
  name: string,
  command: string,
  describes: readonly string[],
  figures: Proof['figures'],
  folder = proofs,
): void {
  const code = codeAt(describes)
  const at = new Date().toISOString()
  const hash = hashOf(JSON.stringify(code))
  const proof: Proof = {name, command, at, describes: [...describes], hash, code, figures}
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(proof, null, 2)}\n`)
}

export function readProof(file: string): Proof {
  return z.parse(proofSchema, JSON.parse(readFileSync(join(proofs, file), 'utf8')))
}

/** Which share of the lines that it describes is in files that are not as they were: 0 to 1. */
export function changedSince({describes, code, hash}: Proof): number {
  const now = codeAt(describes)
  if (hashOf(JSON.stringify(now)) === hash) return 0
  const paths = [...new Set([...Object.keys(code), ...Object.keys(now)])]
  const lines = (path: string) => Math.max(linesIn(code[path]), linesIn(now[path]))
  const sum = (some: readonly string[]) => some.reduce((total, path) => total + lines(path), 0)
  return sum(paths.filter(path => code[path] !== now[path])) / sum(paths)
}

function codeAt(describes: readonly string[]): Record<string, string> {
  const files = [...new Set(describes.flatMap(filesAt))].sort()
  return Object.fromEntries(
    files.map(file => {
      const text = readFileSync(file, 'utf8')
      return [file, `${text.split('\n').length - 1} ${hashOf(text)}`]
    }),
  )
}

function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, {withFileTypes: true}).flatMap(entry => filesAt(`${path}/${entry.name}`))
}

function linesIn(mark: string | undefined): number {
  return Number(mark?.split(' ')[0] ?? 0)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
