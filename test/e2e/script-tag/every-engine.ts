import {after, before, describe} from 'node:test'
import {
  launch,
  selectedEngines,
  skipWithoutEngine,
  type Engine,
  type EngineName,
} from '../../engines/engine.js'
import {builtScriptTag, Stand} from './test-server.js'

/** What loads the build, which the stand serves. */
export const script = '<script type="module" src="/cdn/crypto-checkout.js"></script>'

interface Surroundings {
  readonly name: EngineName
  /** There once the tests run; so is the engine. */
  stand(): Stand
  engine(): Engine
}

/** Declares the same tests for each engine that is wanted, all of them at one stand with the built script tag. */
export function inEveryEngine(title: string, declare: (environment: Surroundings) => void): void {
  describe(title, () => {
    let stand: Stand
    before(async () => {
      stand = await Stand.open()
      stand.serve('cdn', await builtScriptTag())
    })
    after(() => stand.close())

    for (const name of selectedEngines())
      describe(`in ${name}`, {skip: skipWithoutEngine(name)}, () => {
        let engine: Engine
        before(async () => {
          engine = await launch(name)
        })
        after(() => engine.close())

        declare({name, stand: () => stand, engine: () => engine})
      })
  })
}
