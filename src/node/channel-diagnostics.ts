/** Publishes on the channel `crypto-checkout` of `node:diagnostics_channel`. */
import {channel} from 'node:diagnostics_channel'
import type {Diagnostics} from '../server/base/diagnostics.js'

const messages = channel('crypto-checkout')

export const channelDiagnostics: Diagnostics = {
  publish(message) {
    if (messages.hasSubscribers) messages.publish(message)
  },
}
