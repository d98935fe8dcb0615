/** The api-key, and the payment service that it is for. */
import {systemClock} from '../../contract/index.js'
import {ConfigurationError, ServiceError} from '../../server/errors.js'
import {createServiceClient} from '../../server/service/client.js'
import type {TransportReply} from '../../http/index.js'
import {createNetworkTransport} from '../../http/node-transport.js'
import {findings, type Finding} from './finding.js'

const LIVE_KEY = /^LIVE;PK;[\x21-\x7e]+$/
const TEST_KEY = /^TEST;PK;[\x21-\x7e]+$/

export function checkKey(apiKey: string | undefined, allowsTest: boolean): Finding {
  const {ok, failure} = findings('api-key')
  if (!apiKey) return failure('CHECKOUT_API_KEY is not set', 'set it as the deployment does')
  if (LIVE_KEY.test(apiKey)) return ok('a live key')
  if (TEST_KEY.test(apiKey)) {
    if (allowsTest) return ok('a test key, as --test allows')
    return failure('a test key: no real money', 'use the LIVE;PK;… key, or pass --test for a test deployment')
  }
  return failure(
    'it has neither the form LIVE;PK;… nor TEST;PK;…',
    'copy the whole key, without quotes or spaces',
  )
}

/** No charge has this id. */
const ABSENT_CHARGE = 'doctor'
const MAX_OFFSET_S = 60

export async function checkService(apiKey: string, baseUrl: string | undefined): Promise<Finding[]> {
  const {ok, failure} = findings('service')
  if (!baseUrl)
    return [failure('CHECKOUT_BASE_URL is not set', 'set it to the https URL of the payment service')]
  const network = createNetworkTransport()
  let date: string | undefined
  let absent: TransportReply | undefined
  let nowhere: TransportReply | undefined
  try {
    const service = createServiceClient({
      apiKey,
      baseUrl,
      async transport(request) {
        absent = await network.send(request)
        nowhere = await network.send({...request, url: `${request.url}/no/such/path`})
        date = absent.headers['date']
        return absent
      },
    })
    await service.getCharge(ABSENT_CHARGE)
    return [failure('it knows a charge that nobody created', 'check CHECKOUT_BASE_URL'), checkClock(date)]
  } catch (error) {
    if (error instanceof ConfigurationError)
      return [
        failure(error.message.replace('baseUrl', 'CHECKOUT_BASE_URL').replace('apiKey', 'CHECKOUT_API_KEY')),
      ]
    if (!(error instanceof ServiceError)) throw error
    const {code, upstreamStatus: status} = error
    if (code === 'charge_not_found' && (!isJsonObject(absent?.body) || absent?.body === nowhere?.body))
      return [
        failure(
          'it responds to the id of a charge as to a path that does not exist',
          'check the path of CHECKOUT_BASE_URL; it ends before /api/v1',
        ),
      ]
    if (code === 'charge_not_found') return [ok('reachable, and it accepts the api-key'), checkClock(date)]
    if (status === 401 || status === 403)
      return [
        failure(`it rejects the api-key (${status})`, 'compare the key with the one that the service issued'),
        checkClock(date),
      ]
    if (status !== undefined)
      return [
        failure(`it responds with ${status}`, 'check CHECKOUT_BASE_URL, and whether the service is up'),
        checkClock(date),
      ]
    return [
      failure(`it cannot be reached (${code})`, 'check CHECKOUT_BASE_URL, DNS, and outgoing firewall rules'),
    ]
  } finally {
    network.close()
  }
}

function isJsonObject(text = ''): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

function checkClock(date: string | undefined): Finding {
  const {ok, warning, failure} = findings('clock')
  const seconds = Math.round((Date.parse(date ?? '') - systemClock.now()) / 1000)
  if (Number.isNaN(seconds)) return warning('the service sends no valid date', 'compare the clocks by hand')
  if (Math.abs(seconds) <= MAX_OFFSET_S) return ok(`${Math.abs(seconds)} s from the clock of the service`)
  return failure(
    `${Math.abs(seconds)} s from the clock of the service`,
    'synchronize the clock of this server, with NTP',
  )
}
