/**
 * `dist/sbom.cdx.json`: a CycloneDX document of what the package installs and contains, with exact versions, hashes and
 * licenses: the runtime dependencies as the lockfile has them, and the packages that are bundled in `dist`. `npm sbom
 * --omit dev` leaves out each dependency that a development dependency needs too, so this selects from the whole list.
 */
import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import * as z from 'zod'

const bomSchema = z.looseObject({
  components: z.array(z.looseObject({'bom-ref': z.string()})),
  dependencies: z.array(z.object({ref: z.string(), dependsOn: z.array(z.string())})),
  metadata: z.looseObject({component: z.looseObject({'bom-ref': z.string()})}),
})
const packageSchema = z.object({name: z.string(), dependencies: z.record(z.string(), z.string())})

export function writeSbom(): void {
  const {name, dependencies: declared} = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const options = {encoding: 'utf8', maxBuffer: 50_000_000} as const
  // Vite sets `NODE_ENV`, which would make npm omit the development dependencies.
  const args = ['sbom', '--silent', '--include', 'dev', '--sbom-format', 'cyclonedx']
  const output = execFileSync('npm', args, options)
  // Without the serial number and the time, so that two builds give the same bytes.
  const {serialNumber: _, ...bom} = bomSchema.parse(JSON.parse(output))
  const {timestamp: __, ...metadata} = bom.metadata
  const root = metadata.component['bom-ref']
  const edges = new Map(bom.dependencies.map(({ref, dependsOn}) => [ref, dependsOn]))
  const installed = (edges.get(root) ?? []).filter(ref => ref.slice(0, ref.lastIndexOf('@')) in declared)
  const bundled = ['dist', 'dist/pages/render', 'dist/cdn'].flatMap(folder =>
    [...readFileSync(`${folder}/licenses.md`, 'utf8').matchAll(/^## (\S+) - (\S+) \(/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    ),
  )
  const refs = new Set(installed)
  // A set also iterates over what is added meanwhile.
  for (const ref of refs) for (const inner of edges.get(ref) ?? []) refs.add(inner)
  for (const ref of bundled) refs.add(ref)

  const selected = {
    ...bom,
    // npm takes the name from the folder.
    metadata: {...metadata, component: {...metadata.component, name}},
    components: bom.components
      .filter(component => refs.has(component['bom-ref']))
      .map(component => ({...component, properties: []})),
    dependencies: bom.dependencies
      .filter(({ref}) => ref === root || refs.has(ref))
      .map(({ref, dependsOn}) => ({
        ref,
        dependsOn:
          ref === root
            ? [...new Set([...installed, ...bundled])]
            : dependsOn.filter(inner => refs.has(inner)),
      })),
  }
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(selected, null, 2)}\n`)
}
