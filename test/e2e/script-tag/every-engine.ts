import {after, before, describe} from 'node:test'
import {
  launch,
  selectedEngines,
  skipWithoutEngine,
  type Engine,
  type EngineName,
} from '../../engines/engine.js'
import {builtScriptTag, TestServer} from './test-server.js'

/** What loads the build, which the server serves. */
export const script = '<script type="module" src="/cdn/crypto-checkout.js"></script>'

interface EngineContext {
  readonly name: EngineName
  /** There once the tests run; so is the engine. */
  server(): TestServer
  engine(): Engine
}

/** Declares the same tests for each engine that is wanted, all of them at one server with the built script tag. */
export function inEveryEngine(title: string, declare: (environment: EngineContext) => void): void {
  describe(title, () => {
    let server: TestServer
    before(async () => {
      server = await TestServer.open()
      server.serve('cdn', await builtScriptTag())
    })
    after(() => server.close())

    for (const name of selectedEngines())
      describe(`in ${name}`, {skip: skipWithoutEngine(name)}, () => {
        let engine: Engine
        before(async () => {
          engine = await launch(name)
        })
        after(() => engine.close())

        declare({name, server: () => server, engine: () => engine})
      })
  })
}
