import {css, html, LitElement, nothing, type TemplateResult} from 'lit'
import type {ChargeLogLine} from '../../../src/server/charges/log.js'
import {shared} from './styles.js'

export interface LoggedEvent {
  /** `page`: an event of the element. `server`: a handler of the shop's server. `visitor`: what the visitor did. */
  readonly source: 'page' | 'server' | 'visitor'
  readonly name: string
  readonly detail: string
  /** Milliseconds since 1970 UTC. */
  readonly at: number
}

/** The events of the element and of the shop's server, and the log of the proxy. */
export class PlaygroundEventLog extends LitElement {
  static override styles = [
    shared,
    css`
      .lists {
        display: grid;
        gap: 20px;
        grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
      }
      .list {
        background: var(--soft);
        border: 1px solid var(--line);
        border-radius: 10px;
        block-size: 200px;
        overflow: auto;
        padding: 4px 12px;
      }
      li {
        display: grid;
        gap: 0 8px;
        grid-template-columns: 4.75em 1fr;
        padding-block: 5px;
      }
      li + li {
        border-block-start: 1px solid var(--line);
      }
      time {
        color: var(--quiet);
        font-variant-numeric: tabular-nums;
        grid-row: span 2;
      }
      time,
      .detail {
        font-size: 0.75rem;
        line-height: 1.6;
      }
      .detail {
        color: var(--quiet);
        overflow-wrap: anywhere;
      }
      li[data-source='server'] code {
        color: var(--good);
      }
      li[data-source='page'] code {
        color: var(--brand);
      }
      .empty {
        color: var(--quiet);
        font-size: 0.8125rem;
        padding-block: 6px;
      }
    `,
  ]
  static override properties = {events: {attribute: false}, journal: {attribute: false}}

  events: readonly LoggedEvent[] = []
  journal: readonly ChargeLogLine[] = []

  override render(): TemplateResult {
    return html`<div class="lists">
      <section class="group">
        <h2 id="events">Events</h2>
        <div class="list" tabindex="0" role="log" aria-labelledby="events">
          <ol>
            ${this.events.map(event => item(event.at, event.name, event.detail, event.source))}
          </ol>
          ${this.events.length === 0 ? html`<p class="empty">None yet.</p>` : nothing}
        </div>
      </section>
      <section class="group">
        <h2 id="journal">Log of the proxy</h2>
        <div class="list" tabindex="0" role="region" aria-labelledby="journal">
          <ol>
            ${this.journal.map(({kind, at, ...line}) => item(Date.parse(at), kind, summaryOf(line)))}
          </ol>
          ${
            this.journal.length === 0
              ? html`<p class="empty">Empty. The charge has not been opened.</p>`
              : nothing
          }
        </div>
      </section>
    </div>`
  }

  /** The newest item is visible. */
  override updated(): void {
    for (const list of this.renderRoot.querySelectorAll('.list')) list.scrollTop = list.scrollHeight
  }
}

function item(at: number, name: string, detail: string, source?: string): TemplateResult {
  return html`<li data-source=${source ?? 'journal'}>
    <time datetime=${new Date(at).toISOString()}>${timeText(at)}</time>
    <code>${name}</code>
    ${detail ? html`<span class="detail">${detail}</span>` : nothing}
  </li>`
}

/** Long, and not about the payment. */
const omitted = ['cryptoChargeId', 'lastAt']

function summaryOf(line: object): string {
  return Object.entries(line)
    .filter(([name, value]: [string, unknown]) => !omitted.includes(name) && value !== undefined)
    .map(([name, value]: [string, unknown]) => `${name}: ${shortened(String(value))}`)
    .join(', ')
}

function timeText(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB')
}

/** Transaction hashes are long. */
function shortened(text: string): string {
  return text.replaceAll(/\b(0x)?[\da-zA-Z]{30,}\b/g, long => `${long.slice(0, 8)}…${long.slice(-4)}`)
}
