/** The context of a server, for tests of its parts. */
import {noDiagnostics} from '../../src/server/base/diagnostics.js'
import {wholeOffer} from '../../src/server/assets/offer.js'
import {silentLogger} from '../../src/server/base/logger.js'
import {ServiceTime} from '../../src/server/base/service-time.js'
import type {ServerContext} from '../../src/server/context/context.js'
import {Journals} from '../../src/server/journal/journals.js'
import {createPollingClient} from '../../src/server/service/client.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {FakeClock} from '../fake-clock.js'
import {ScriptedService, startOfTest} from './scripted-service.js'

type Given = Partial<Omit<ServerContext, 'journals'>>

/** @param service that the client calls */
export function testContext(given: Given = {}, service = new ScriptedService()): ServerContext {
  const clock = given.clock ?? new FakeClock(startOfTest)
  const logger = given.logger ?? silentLogger
  const base = {
    store: memoryStore(),
    clock,
    time: new ServiceTime(clock, logger),
    logger,
    diagnostics: noDiagnostics,
    random: () => 0.5,
    test: true,
    offer: wholeOffer,
    ...given,
  }
  const settings = {
    apiKey: 'TEST;PK;scripted',
    baseUrl: 'https://service.example',
    transport: service.transport,
    convertMethod: 'GET',
    timeout: 10_000,
  } as const
  return {service: createPollingClient(base, settings), ...base, journals: new Journals(base)}
}
