/** A component for each framework. It takes the id of the charge. */
import type {Attributes} from './attributes.js'
import {element, indent, selfClosing, written} from './markup.js'

interface Snippet {
  readonly attributes: Attributes
  /** With a button that opens the dialog. */
  readonly modal: boolean
  /** Whether there is a style sheet to import. */
  readonly hasCss: boolean
}

interface File {
  readonly name: string
  readonly code: string
}

const TAG = 'crypto-checkout'
const BUTTON = 'Pay with crypto'

export function react(snippet: Snippet): File {
  return {name: 'payment.tsx', code: reactComponent(snippet)}
}

/** Event handlers need a client component. */
export function next(snippet: Snippet): File {
  return {name: 'app/payment.tsx', code: `'use client'\n${reactComponent(snippet)}`}
}

function reactComponent({attributes, modal, hasCss}: Snippet): string {
  const props = written(attributes).map(text => text.replace(/^[\w-]+/, camelCase))
  const dialog = ['open={isOpen}', 'onCheckoutClosed={() => setOpen(false)}']
  const checkout = selfClosing('CryptoCheckout', ['chargeId={chargeId}', ...props, ...(modal ? dialog : [])])
  const button = `<button type="button" onClick={() => setOpen(true)}>\n  ${BUTTON}\n</button>`
  const content = modal ? `<>\n${indent(`${button}\n${checkout}`, 2)}\n</>` : checkout
  const body = content.includes('\n') ? `(\n${indent(content, 4)}\n  )` : content
  return `import {CryptoCheckout} from 'crypto-checkout/react'
${modal ? "import {useState} from 'react'\n" : ''}${cssImport(hasCss)}
export function Payment({chargeId}: {chargeId: string}) {
${modal ? '  const [isOpen, setOpen] = useState(false)\n' : ''}  return ${body}
}
`
}

export function vue({attributes, modal, hasCss}: Snippet): File {
  const dialog = [':open="isOpen"', '@checkout-closed="isOpen = false"']
  const checkout = selfClosing(TAG, [
    ':charge-id="chargeId"',
    ...written(attributes),
    ...(modal ? dialog : []),
  ])
  const button = `<button type="button" @click="isOpen = true">${BUTTON}</button>\n`
  const code = `<script setup lang="ts">
import 'crypto-checkout'
import type {} from 'crypto-checkout/vue'
${modal ? "import {ref} from 'vue'\n" : ''}${cssImport(hasCss)}
defineProps<{chargeId: string}>()
${modal ? 'const isOpen = ref(false)\n' : ''}</script>

<template>
${indent(`${modal ? button : ''}${checkout}`, 2)}
</template>
`
  return {name: 'Payment.vue', code}
}

export function svelte({attributes, modal, hasCss}: Snippet): File {
  const dialog = ['open={isOpen}', 'oncheckout-closed={() => (isOpen = false)}']
  const checkout = element(TAG, ['charge-id={chargeId}', ...written(attributes), ...(modal ? dialog : [])])
  const button = `<button type="button" onclick={() => (isOpen = true)}>${BUTTON}</button>\n`
  const script = `import 'crypto-checkout'
import type {} from 'crypto-checkout/svelte'
${cssImport(hasCss)}
const {chargeId}: {chargeId: string} = $props()
${modal ? 'let isOpen = $state(false)\n' : ''}`
  const code = `<script lang="ts">\n${indent(script, 2)}</script>\n\n${modal ? button : ''}${checkout}\n`
  return {name: 'Payment.svelte', code}
}

export function angular({attributes, modal, hasCss}: Snippet): File {
  const dialog = ['[open]="isOpen()"', '(checkout-closed)="isOpen.set(false)"']
  const checkout = element(TAG, [
    '[attr.charge-id]="chargeId()"',
    ...written(attributes),
    ...(modal ? dialog : []),
  ])
  const button = `<button type="button" (click)="isOpen.set(true)">${BUTTON}</button>\n`
  const names = ['Component', 'CUSTOM_ELEMENTS_SCHEMA', 'input', ...(modal ? ['signal'] : [])]
  const code = `import {${names.join(', ')}} from '@angular/core'
import 'crypto-checkout'

@Component({
  selector: 'shop-payment',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
${hasCss ? "  styleUrl: './checkout.css',\n" : ''}  template: \`
${indent(`${modal ? button : ''}${checkout}`, 4)}
  \`,
})
export class Payment {
  readonly chargeId = input.required<string>()
${modal ? '  readonly isOpen = signal(false)\n' : ''}}
`
  return {name: 'payment.ts', code}
}

function cssImport(hasCss: boolean): string {
  return hasCss ? "import './checkout.css'\n" : ''
}

/** `auto-redirect` is `autoRedirect`. */
function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
