import '@mantine/core/styles.css'
import '#src/app/tokens.css'
import '#src/app/base.css'
import './floor.css'

import { MantineProvider } from '@mantine/core'
import i18next from 'i18next'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { I18nextProvider, initReactI18next } from 'react-i18next'

import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { readPage } from '#core/form/definition/page.ts'
import { FormView } from '#src/form/FormView.tsx'
import { form as zh } from '#src/i18n/zh/form.ts'

import type { BenchPage, FormKind } from '../bench.ts'
import { GATE, TABLE, formOption, tableRows, valuesOf } from '../definition.ts'
import { openFloor, openTableFloor } from './floor.ts'
import { startCounting, stopCounting } from './renders.ts'

/** The functions that the measuring process calls in the page. All times are milliseconds of the page's own clock. */

const i18n = i18next.createInstance()
await i18n.use(initReactI18next).init({ lng: 'zh', ns: ['form'], defaultNS: 'form', resources: { zh: { form: zh } } })

const MOMENT = { today: '2026-03-01', now: '2026-03-01 09:30:00' }

/** The moment at which the present document has been painted. */
function awaitPaint(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => resolve(performance.now()), { once: true })
      channel.port1.start()
      channel.port2.postMessage(null)
    })
  })
}

function compiledPage(size: number): CompiledPage {
  const page = readPage(formOption(size))
  if (!page.ok) throw new Error(page.error.kind)
  const result = compilePage(page.page)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.compiled
}

interface OpenForm {
  readonly first: number
  readonly all: number
  readonly close: () => void
}

async function openOurs(size: number): Promise<OpenForm> {
  const compiled = compiledPage(size)
  const data = { values: valuesOf(size), missing: {} }
  const host = freshHost()
  const start = performance.now()
  const state = createFormState(compiled, data, { moment: MOMENT, readOnly: false })
  const root = render(host, state)
  await rowsThere(host, 1)
  const first = (await awaitPaint()) - start
  await rowsThere(host, size)
  const all = (await awaitPaint()) - start
  return { first, all, close: () => root.unmount() }
}

function render(host: HTMLElement, state: FormState): Root {
  const root = createRoot(host)
  root.render(
    <I18nextProvider i18n={i18n}>
      <MantineProvider>
        <FormView state={state} mode="input" language="zh" clock={() => MOMENT.now} onHistory={() => undefined} />
      </MantineProvider>
    </I18nextProvider>,
  )
  return root
}

/** Waits for this many rows. Checking in every frame would slow down the measured work, so it observes the document. */
function rowsThere(host: HTMLElement, rows: number): Promise<void> {
  return thereAre(host, '[data-row]', rows)
}

function thereAre(host: HTMLElement, selector: string, count: number): Promise<void> {
  const there = () => host.querySelectorAll(selector).length >= count
  return new Promise((resolve) => {
    if (there()) return resolve()
    const observer = new MutationObserver(() => {
      if (!there()) return
      observer.disconnect()
      resolve()
    })
    observer.observe(host, { childList: true, subtree: true })
  })
}

async function openTable(kind: FormKind, count: number): Promise<{ readonly all: number; readonly close: () => void }> {
  const rows = tableRows(count)
  const host = freshHost()
  if (kind === 'floor') {
    const start = performance.now()
    openTableFloor(host, rows)
    return { all: (await awaitPaint()) - start, close: () => undefined }
  }
  const page = readPage(TABLE)
  const result = page.ok ? compilePage(page.page) : null
  if (result?.ok !== true) throw new Error('the table is no page')
  const start = performance.now()
  const state = createFormState(
    result.compiled,
    { values: { drugs: rows }, missing: {} },
    { moment: MOMENT, readOnly: false },
  )
  const root = render(host, state)
  await thereAre(host, '[data-action=row-open]', count)
  return { all: (await awaitPaint()) - start, close: () => root.unmount() }
}

async function openPlain(size: number): Promise<OpenForm> {
  const option = formOption(size)
  const values = valuesOf(size)
  const host = freshHost()
  const start = performance.now()
  openFloor(host, option, values)
  const all = (await awaitPaint()) - start
  return { first: all, all, close: () => undefined }
}

/** Waits until the element of a selector has the focus. */
async function awaitFocus(selector: string): Promise<void> {
  while (document.activeElement?.matches(selector) !== true) await awaitPaint()
}

function freshHost(): HTMLElement {
  const host = document.createElement('main')
  document.body.replaceChildren(host)
  return host
}

const keys: number[] = []
const renders: number[] = []
let counting = false
window.addEventListener(
  'keydown',
  (event) => {
    if (counting) startCounting()
    void awaitPaint().then((end) => {
      keys.push(end - event.timeStamp)
      if (counting) renders.push(stopCounting())
    })
  },
  { capture: true },
)

const bench: BenchPage = {
  async open(kind: FormKind, size: number) {
    const open = kind === 'ours' ? openOurs : openPlain
    // In use, the app has been running for a while when a form opens: so the code is warmed up first.
    for (let round = 0; round < 2; round += 1) (await open(60)).close()
    const { first, all } = await open(size)
    return { first, all }
  },
  async openTable(kind: FormKind, rows: number) {
    for (let round = 0; round < 2; round += 1) (await openTable(kind, 5)).close()
    return (await openTable(kind, rows)).all
  },
  async openRow(at: number) {
    const line = document.querySelectorAll<HTMLElement>('[data-action=row-open]')[at]
    if (line === undefined) throw new Error('the row is not there')
    const start = performance.now()
    line.click()
    await thereAre(document.body, '[role=dialog] input', 3)
    await awaitFocus('[role=dialog] input')
    return (await awaitPaint()) - start
  },
  takeKeys() {
    return keys.splice(0)
  },
  countRenders() {
    counting = true
  },
  takeRenders() {
    return renders.splice(0)
  },
  async toggle() {
    const times: number[] = []
    for (let round = 0; round < 6; round += 1) {
      const code = round % 2 === 0 ? '1' : '0'
      const row = document.querySelector(`[data-row=${GATE}]`)
      const choice = row?.querySelector<HTMLElement>(`[data-value="${code}"], input[value="${code}"]`)
      if (row === null || choice === null || choice === undefined) throw new Error('the choice is not there')
      row.scrollIntoView({ block: 'start' })
      await awaitPaint()
      const start = performance.now()
      choice.click()
      times.push((await awaitPaint()) - start)
      const shown = document.querySelector<HTMLElement>('[data-row=f21]')?.hidden === false
      if (shown !== (code === '1')) throw new Error('the choice did not show or hide its fields')
    }
    return times
  },
}

Object.assign(window, { bench })
