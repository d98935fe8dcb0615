import {after, before, describe} from 'node:test'
import {skipWithoutEngine, type Engine, type EngineName} from '../engines/engine.js'
import {launch} from '../engines/launch.js'

/** Declares tests that share one browser of this engine; `use` gets it before they run. */
export function describeIn(
  name: EngineName,
  title: string,
  use: (engine: Engine) => void,
  declareTests: () => void,
): void {
  describe(`${title} in ${name}`, {skip: skipWithoutEngine(name)}, () => {
    let engine: Engine
    before(async () => {
      engine = await launch(name)
      use(engine)
    })
    after(() => engine.close())
    declareTests()
  })
}
