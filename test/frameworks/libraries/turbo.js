/** Turbo renders the page again by morphing, as after a broadcast. */
import * as Turbo from '@hotwired/turbo'

document.addEventListener('refresh', () => Turbo.visit(location.href, {action: 'replace'}))
