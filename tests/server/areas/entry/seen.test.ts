import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { NO_OTHER_PAGES } from '#core/form/engine/otherPages.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { Field } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { seenData } from '#core/form/engine/seen.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import { EMPTY_ENTRY, mergeEntry } from '#core/sync/merge.ts'
import { sha256Hex } from '#offline/bytes.ts'
import { isCalculatedOn, judge } from '#server/areas/entry/judgement/judge.ts'
import { dataHash } from '#server/areas/entry/store.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'
import { DICTIONARIES, samplePath } from '#tests/core/exchange/samples.ts'
import { compiledVisit } from '#tests/core/form/filling.ts'
import { VITALS } from '#tests/server/support/world.ts'

/**
 * What the tablet says that a person saw, against what the server makes of the same work: equal data must give equal
 * hashes.
 */

const MOMENT = { today: '2026-11-21', now: '2026-11-21 09:00:00' }
const ACTED = { at: '2026-11-21T01:20:00.000Z', offsetMinutes: 480, driftMs: null, deviceId: null, appVersion: null }

/** The pages of a dictionary, each beside the others of its visit. */
function dictionaryPages(name: string): readonly (readonly [string, CompiledPage])[] {
  const read = readRedcapDictionary(readFileSync(samplePath('redcap', name), 'utf8'))
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return [...compiledVisit(read.definition.pages)]
}

function compiledFrom(page: ReturnType<typeof parsePage>): CompiledPage {
  const result = page.ok ? compilePage(page.page) : null
  if (result?.ok !== true) throw new Error('the page cannot be compiled')
  return result.compiled
}

/** Each page of the demo, where it stands last: a page that stands in several visits is one. */
function demoPages(): readonly (readonly [string, CompiledPage])[] {
  const version = new CompiledVersion(demoDefinition.folders)
  const pages = demoDefinition.folders.flatMap(({ folderCode, pages }) =>
    pages.map(({ pageCode, pageName }): [string, CompiledPage] => {
      const result = version.page({ folder: folderCode, page: pageCode })
      if (!result.ok) throw new Error(`${pageName} cannot be compiled`)
      return [pageName, result.compiled]
    }),
  )
  return [...new Map(pages)]
}

const pages: readonly (readonly [string, CompiledPage])[] = [
  ...DICTIONARIES.filter((name) => /^twin|longitudinal/.test(name)).flatMap(dictionaryPages),
  ...demoPages(),
  ['vital signs of the ward', compiledFrom(parsePage(VITALS))],
]

/** One page of one patient: the form on a tablet, and what the server's database holds of it. */
class Page {
  stored: EntryData
  readonly form: FormState
  readonly compiled: CompiledPage

  constructor(compiled: CompiledPage, stored: EntryData = EMPTY_ENTRY) {
    this.compiled = compiled
    this.stored = stored
    this.form = createFormState(compiled, stored, { moment: MOMENT, readOnly: false })
  }

  /** What was changed on the screen reaches the server and comes to rest in its database. */
  save(): void {
    const items = this.form.changes().map(({ code, value, base, missing, baseMissing }): ItemChange => ({
      table: null,
      rid: null,
      code,
      to: { value, missing },
      base: { value: base, missing: baseMissing },
      isShow: 1,
      reason: null,
    }))
    const sent = JSON.parse(JSON.stringify(items)) as ItemChange[]
    const merged = mergeEntry(this.stored, { items: sent, rows: [] }, { isCalculated: isCalculatedOn(this.compiled) })
    if (merged.collisions.length > 0) throw new Error('the page met a conflict with itself')
    this.stored = JSON.parse(JSON.stringify(judge(this.compiled, merged.data, ACTED, NO_OTHER_PAGES).data)) as EntryData
    this.form.rebase(this.form.data())
  }

  async hashes(): Promise<readonly [tablet: string, server: string]> {
    return [await sha256Hex(entryDataText(this.form.data())), dataHash(this.stored)]
  }
}

/** Text that a person could type into a field: decimals where numbers are meant. */
function typed(field: Field, round: number): string {
  if (field.choices.length > 0) return field.choices[round % field.choices.length]?.value ?? ''
  if (field.type === 'number') return ['1.10', '70.3', '0.1'][round % 3] ?? ''
  if (field.type === 'date') return `2026-0${1 + (round % 9)}-15`
  return `第 ${round} 次 "é"`
}

function fill(form: FormState, round: number): void {
  form.compiled.page.fields.forEach((field, at) => {
    if (field.type === 'dynamic') return
    if ((at + round) % 7 === 3) form.setMissing(field.code, { m: 'UNK', reason: '患者不记得' })
    else if ((at + round) % 5 === 4) form.setText(field.code, '')
    else if (field.choices.length > 0) form.setValue(field.code, typed(field, at + round))
    else form.setText(field.code, typed(field, at + round))
  })
}

describe('the hash of what was seen', () => {
  test.each(pages)('is the server’s on %s, filled, changed and emptied', async (_name, compiled) => {
    const page = new Page(compiled)
    for (let round = 0; round < 4; round += 1) {
      fill(page.form, round)
      page.save()
      const [tablet, server] = await page.hashes()
      expect(tablet).toBe(server)
    }
    for (const { code } of compiled.page.fields) page.form.setValue(code, null)
    page.save()
    const [tablet, server] = await page.hashes()
    expect(tablet).toBe(server)
  })

  test.each(pages)('is the server’s on %s, opened again', async (_name, compiled) => {
    const first = new Page(compiled)
    fill(first.form, 1)
    first.save()
    const again = new Page(compiled, first.stored)
    again.save()
    const [tablet, server] = await again.hashes()
    expect(tablet).toBe(server)
  })

  test('keeps what no field of the page holds, and what was written in another form', async () => {
    const drugs: JsonValue = [{ _rid: '0190a000-0000-7000-8000-000000000009', _ord: 'a', drug: '硝酸甘油' }]
    const missing = { '0190a000-0000-7000-8000-000000000009.dose': { m: 'UNK', reason: '' } } as const
    const page = new Page(compiledFrom(parsePage(VITALS)), {
      values: { height: '170', weight: 65, former: '旧版', drugs },
      missing,
    })
    page.form.setText('weight', '66.5')
    page.save()
    expect(page.stored.values).toMatchObject({ height: '170', former: '旧版', bmi: 66.5 / 1.7 ** 2 })
    const [tablet, server] = await page.hashes()
    expect(tablet).toBe(server)
  })

  test('differs as soon as somebody else changed a value', async () => {
    const page = new Page(compiledFrom(parsePage(VITALS)))
    page.form.setText('height', '170')
    page.save()
    page.stored = { ...page.stored, values: { ...page.stored.values, note: '别处' } }
    const [tablet, server] = await page.hashes()
    expect(tablet).not.toBe(server)
  })
})

describe('nothing is said to have been seen', () => {
  test('where values are masked, in rows as well', () => {
    const vitals = compiledFrom(parsePage(VITALS))
    const rows: JsonValue = [{ _rid: '0190a000-0000-7000-8000-000000000009', _ord: 'a', drug: '***' }]
    const seen = (values: EntryData['values'], masked: boolean) =>
      seenData(createFormState(vitals, { values, missing: {} }, { moment: MOMENT, readOnly: false, masked }))
    expect(seen({ contact: '***' }, true)).toBeNull()
    expect(seen({ drugs: rows }, true)).toBeNull()
    expect(seen({ contact: '张三' }, true)).not.toBeNull()
    // Asterisks among data that nothing is kept from were typed.
    expect(seen({ contact: '***', drugs: rows }, false)).not.toBeNull()
  })

  test('where a calculated value follows the clock', () => {
    const page = parsePage(
      JSON.stringify({ column: [{ prop: 'asked', label: '询问日期', type: 'input', zl: { calculate: 'today' } }] }),
    )
    expect(seenData(new Page(compiledFrom(page)).form)).toBeNull()
  })
})
