/** knip fails for files, exports and packages that nothing uses. */
import type {KnipConfig} from 'knip'

const config: KnipConfig = {
  entry: [
    '*.config.{js,ts}',
    'src/index.ts',
    'src/{element,react,pages/render,node,workers,sandbox}/index.ts',
    'src/cli/main.ts',
    'src/node/browser-stub.ts',
    // Put in place of built-ins by the build.
    'src/core/built-ins.ts',
    'scripts/*.ts',
    // Named by a tool's configuration.
    'scripts/{ignore-messages,custom-elements-manifest.config}.js',
    'test/**/*.test.ts',
    'test/web-test-runner.config.js',
    'test/package/consumers/*.{ts,tsx}',
    // Started as processes.
    'test/processes/*.ts',
    'test/runtimes/{*-store.ts,*.js}',
    'bench/{*,processes/*}.ts',
    'demo/*.js',
    'stories/**/*.stories.ts',
    'docs/.vitepress/{config,theme/index,theme/*.data}.ts',
  ],
  project: [
    'src/**/*.{ts,tsx}',
    'bin/*.js',
    'scripts/**/*.{ts,js}',
    'test/**/*.{ts,tsx}',
    'demo/*.{ts,js}',
    'examples/*.ts',
    'bench/**/*.ts',
    'stories/**/*.{ts,mdx}',
    'docs/.vitepress/**/*.ts',
  ],
  // An exported type may describe only an exported function of its file.
  ignoreExportsUsedInFile: true,
  // The demo shop's pages load its files from the root of the site.
  paths: {'/*': ['./demo/*']},
  // Of Linux: test/system installs programs with it.
  ignoreBinaries: ['flock'],
  ignoreDependencies: [
    // Started by its path, in scripts/build.ts.
    '@custom-elements-manifest/analyzer',
    // Stryker loads its runner by name.
    '@stryker-mutator/tap-runner',
    // Imported by examples of docs/, which test/docs compiles and test/http/mounts.test.ts runs.
    '@hono/node-server',
    '@types/express',
    '@types/koa',
    'express',
    'fastify',
    'hono',
    'koa',
    // The shop's own, if it has no node:sqlite: src/cli/open-store.ts.
    'better-sqlite3',
    // Optional peers, which the examples install.
    'svelte',
    'vue',
  ],
}

// knip reads the default export.
export default config
