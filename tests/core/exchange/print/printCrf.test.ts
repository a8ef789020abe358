// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { printCrf } from '#core/exchange/print/printCrf.ts'
import { en } from '#core/exchange/print/words.en.ts'
import { zh } from '#core/exchange/print/words.zh.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import type { Column } from '#core/form/definition/column.ts'

import { VITALS } from '../../form/filling.ts'
import { DICTIONARIES, samplePath } from '../samples.ts'

/** An annotated form on paper: what stands on it, and that nothing of a definition runs in it. */

function printed(column: readonly Column[], words = zh): Document {
  const html = printCrf(
    {
      pages: [{ pageCode: 'vs', pageName: '生命体征', option: { column } }],
      folders: [{ folderCode: 'v1', folderName: '筛选', pages: ['vs'] }],
    },
    '研究',
    words,
  )
  return new DOMParser().parseFromString(html, 'text/html')
}

function row(page: Document, code: string): string {
  const cell = [...page.querySelectorAll('td.code')].find((one) => one.querySelector('code')?.textContent === code)
  return cell?.parentElement?.textContent ?? ''
}

describe('an annotated form', () => {
  it('has each field with its code, choices and rules in words', () => {
    const page = printed(VITALS)
    expect(page.querySelector('h1')?.textContent).toBe('研究 — 注释病例报告表')
    expect(row(page, 'sex')).toContain('0 女')
    expect(row(page, 'pregnant')).toContain('必填')
    expect(row(page, 'pregnant')).toContain('显示条件 「性别」 等于 0 女')
    expect(row(page, 'weeks')).toContain('范围 1 – 42')
    expect(row(page, 'advice')).toContain('必填条件 「BMI」 不小于 28')
    expect(page.querySelectorAll('section')).toHaveLength(1)
    expect(page.querySelector('table')?.textContent).toContain('筛选')
  })

  it('says rules of imported definitions in the same words, in either language', () => {
    const page = printed(
      [
        { prop: 'a', label: 'A', type: 'radio', dicData: [{ value: '1', label: 'Yes' }] },
        { prop: 'm', label: 'M', type: 'checkbox', dicData: [{ value: 'x', label: 'Ex' }] },
        {
          prop: 'b',
          label: 'B',
          type: 'input',
          zl: {
            show: 'rcEq(rc.a, "1") && rcEq(rcChecked(rc.m, "x"), "1")',
            require: 'xpNe(rc.a, "") || !xpTest("selected", [dyn(rc.m), dyn("x")])',
          },
        },
        {
          prop: 't',
          label: 'T',
          type: 'dynamic',
          children: {
            column: [
              { prop: 'r', label: 'R', type: 'input' },
              { prop: 's', label: 'S', type: 'input', zl: { show: 'xpEq((has(row.r) ? dyn(row.r) : dyn("")), "z")' } },
            ],
          },
        },
      ],
      en,
    )
    expect(row(page, 'b')).toContain('Shown when 「A」 is 1 Yes and 「M」 has x Ex chosen')
    expect(row(page, 'b')).toContain('Required when 「A」 has a value or not (「M」 has x Ex chosen)')
    expect(row(page, 's')).toContain('Shown when 「R」 is “z”')
  })

  it('runs nothing that a definition says', () => {
    const evil = '<script>steal()</script><img src=x onerror=steal()>"\'&'
    const page = printed([
      {
        prop: 'a',
        label: evil,
        type: 'radio',
        dicData: [{ value: evil, label: evil }],
        value: evil,
        zl: {
          note: evil,
          unit: evil,
          show: `page.a == ${JSON.stringify(evil)}`,
          checks: [{ id: 'x', when: evil, severity: 'error', message: { zh: evil } }],
        },
      },
    ])
    expect(page.querySelectorAll('script, img, a, iframe, link')).toHaveLength(0)
    expect(page.querySelector('td.label')?.textContent).toContain(evil)
    expect(
      [...page.querySelectorAll('*')]
        .flatMap((element) => [...element.attributes].map(({ name }) => name))
        .filter((name) => name.startsWith('on')),
    ).toEqual([])
  })

  it.each(DICTIONARIES)('of the dictionary %s has all of its fields', { timeout: 60_000 }, (name) => {
    const { result } = readDefinition(
      { name, bytes: new Uint8Array(readFileSync(samplePath('redcap', name))) },
      (bytes) => new TextDecoder().decode(bytes),
    )
    if (!result.ok) throw new Error(result.error.kind)
    const html = printCrf(result.definition, name, zh)
    const codes = new Set([...html.matchAll(/class="code"><code>(\w+)</g)].map(([, code]) => code))
    const columns = result.definition.pages
      .flatMap(({ option }) => [...option.column, ...(option.group ?? []).flatMap((group) => group.column)])
      .filter(({ type }) => type !== 'title')
    expect(columns.filter(({ prop }) => !codes.has(prop))).toEqual([])
  })
})
