import { describe, expect, it } from 'vitest'
import type { DefinitionResult } from '#core/exchange/definition.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { readPage } from '#core/form/definition/page.ts'

import { columnNamed, columnsOf, decode, form, odm1, odm2, read, written } from './files.ts'

/** Files that mean harm, through the entry that an import uses: bytes to text to definition. */

/** Long enough for a machine that does other work, far too short for anything that is not linear. */
const BOUND_MS = 20_000
const TIMEOUT = { timeout: 3 * BOUND_MS }

function imported(text: string): DefinitionResult {
  return readDefinition({ name: 'study.xml', bytes: new TextEncoder().encode(text) }, decode).result
}

/** What an import takes: its result, milliseconds, and megabytes that the process grew by. */
function measured(text: string) {
  const before = process.memoryUsage().rss
  const start = performance.now()
  const result = imported(text)
  return { result, ms: performance.now() - start, grown: (process.memoryUsage().rss - before) / 1_000_000 }
}

describe('entities are refused, whatever they mean to do', () => {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  it.each([
    ['a billion laughs', `<!DOCTYPE ODM [<!ENTITY l0 "ha">${laughs}]>`, '&l9;'],
    ['a file of this machine', '<!DOCTYPE ODM [<!ENTITY f SYSTEM "file:///etc/passwd">]>', '&f;'],
    ['a file of another machine', '<!DOCTYPE ODM [<!ENTITY f SYSTEM "http://127.0.0.1:9/x">]>', '&f;'],
    ['a parameter entity', '<!DOCTYPE ODM [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>', ''],
  ])('%s', (_what, before, label) => {
    const { result, ms } = measured(
      odm1(form([['X', 'DataType="text"', `<Question><TranslatedText>${label}</TranslatedText></Question>`]]), {
        before,
      }),
    )
    expect(result).toMatchObject({ ok: false, error: { kind: 'xml-entities' } })
    expect(ms).toBeLessThan(1_000)
  })

  it('and one that nobody defined is no XML', () => {
    expect(
      imported(odm1(form([['X', 'DataType="text"', '<Question><TranslatedText>&who;</TranslatedText></Question>']]))),
    ).toMatchObject({ ok: false, error: { kind: 'not-xml', line: 6 } })
  })

  it('but a document type that only names itself does no harm', () => {
    expect(
      imported(
        odm1(form([['X', 'DataType="text"', '']]), {
          before: '<!DOCTYPE ODM PUBLIC "-//CDISC//ODM" "http://127.0.0.1:9/odm.dtd">',
        }),
      ).ok,
    ).toBe(true)
  })
})

describe('files beyond any study are refused within bounds', () => {
  it.each([
    [
      'a million fields',
      () => odm1(Array.from({ length: 1_000_000 }, (_, at) => `<ItemDef OID="I${at}" Name="x"/>`).join('')),
    ],
    ['elements within elements', () => odm1('<a>'.repeat(200_000) + '</a>'.repeat(200_000))],
    [
      'a million attributes',
      () => odm1(`<ItemDef ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}="x"`).join(' ')}/>`),
    ],
    ['a file of 61 MB', () => odm1(form([['X', 'DataType="text"', '']])).padEnd(61_000_000, '\n')],
    ['groups of groups of groups', () => odm2(doubling(30))],
    [
      'one list of choices for thousands of fields',
      () =>
        odm1(
          form(
            Array.from(
              { length: 5_000 },
              (_, at) => [`I${at}`, 'DataType="text"', '<CodeListRef CodeListOID="CL"/>'] as const,
            ),
            longList(1_000),
          ),
        ),
    ],
    [
      'a thousand forms',
      () =>
        odm1(
          Array.from({ length: 1_000 }, (_, at) => `<FormDef OID="F${at}" Name="F" Repeating="No"/>`).join('') +
            '<ItemDef OID="I" Name="I" DataType="text"/>',
        ),
    ],
  ])('%s', TIMEOUT, (_what, make) => {
    const { result, ms, grown } = measured(make())
    expect(result).toEqual({ ok: false, error: { kind: 'too-large' } })
    expect(ms).toBeLessThan(BOUND_MS)
    expect(grown).toBeLessThan(1_000)
  })

  it('a document type without an end is no XML', TIMEOUT, () => {
    const { result, ms } = measured(`<!DOCTYPE ODM [${'<!ELEMENT a ANY>'.repeat(500_000)}`)
    expect(result.ok).toBe(false)
    expect(ms).toBeLessThan(BOUND_MS)
  })

  it.each([
    ['thousands of conditions that each read the next', () => chain(5_000)],
    ['hundreds of forms in hundreds of visits', () => manyVisits(300)],
    [
      'thousands of names that become one code',
      () =>
        odm1(
          form(
            Array.from(
              { length: 10_000 },
              (_, at) =>
                [`I${'.'.repeat(1 + (at % 90))}-${'-'.repeat(Math.floor(at / 90))}`, 'DataType="text"', ''] as const,
            ),
          ),
        ),
    ],
  ])('%s end in time', TIMEOUT, (_what, make) => {
    const { result, ms } = measured(make())
    expect(result).toEqual(expect.objectContaining({ ok: true }))
    expect(ms).toBeLessThan(BOUND_MS)
  })
})

describe('what a file says is text, and nothing that runs', () => {
  it('scripts and links in labels, choices and units', () => {
    const evil = '&lt;script&gt;alert(1)&lt;/script&gt;&lt;a href="javascript:alert(1)"&gt;here&lt;/a&gt;'
    const list = `<CodeList OID="CL" Name="L" DataType="text"><CodeListItem CodedValue="1"><Decode><TranslatedText xml:lang="zh">${evil}</TranslatedText><TranslatedText xml:lang="en">${evil}</TranslatedText></Decode></CodeListItem></CodeList>`
    const definition = read(
      odm1(
        form(
          [
            [
              'X',
              'DataType="text"',
              `<Question><TranslatedText xml:lang="zh">${evil}</TranslatedText></Question><CodeListRef CodeListOID="CL"/>`,
            ],
          ],
          list,
        ),
      ),
    )
    expect(JSON.stringify(definition.pages)).not.toMatch(/<|javascript:/)
    expect(columnNamed(definition, 'X').label).toBe('here')
    expect(definition.notCarried).toContainEqual(
      expect.objectContaining({ field: 'X', what: 'label', why: 'markup-removed' }),
    )
  })

  it('an alias in our name that says what no column can say', () => {
    const alias = (words: string) => `<Alias Context="zhenglu" Name="${words.replaceAll('"', '&quot;')}"/>`
    for (const words of [
      '{"column":{"type":"evil","control":"alert(1)","zl":5}}',
      '{"column":{"dicData":"x"}}',
      '{"column":{"prop":"__proto__"}}',
      'no json',
      '[]',
      '{"column":[]}',
      '{"column":{"zl":{"checks":[1]}}}',
    ]) {
      const definition = read(odm1(form([['X', 'DataType="integer"', alias(words)]])))
      const [page] = definition.pages
      const [column] = columnsOf(page?.option ?? { column: [] })
      expect(readPage(page?.option).ok).toBe(true)
      expect(column).not.toHaveProperty('control')
      expect(column?.prop).not.toBe('__proto__')
    }
  })

  it('is written as text again, in whatever place', () => {
    const text = '"><script>alert(1)</script><!--&x;]]>'
    const file = written(
      {
        pages: [
          {
            pageCode: 'P',
            pageName: text,
            option: {
              column: [
                { prop: 'a', label: text, type: 'radio', dicData: [{ value: text, label: text }], zl: { unit: text } },
              ],
            },
          },
        ],
        folders: [],
      },
      '1.3.2',
    )
    expect(file).not.toContain('<script')
    expect(columnNamed(read(file), 'a')).toMatchObject({
      label: text,
      dicData: [{ value: text, label: text }],
      zl: { unit: text },
    })
  })
})

/** Every group names two others: without a bound it would be two to that power. */
function doubling(depth: number): string {
  const groups = Array.from(
    { length: depth },
    (_, at) => `<ItemGroupDef OID="G${at}" Name="G" Type="${at === 0 ? 'Form' : 'Section'}" Repeating="No">
    <ItemGroupRef ItemGroupOID="${at + 1 < depth ? `G${at + 1}` : 'END'}" Mandatory="No"/><ItemGroupRef ItemGroupOID="${at + 1 < depth ? `G${at + 1}` : 'END'}" Mandatory="No"/></ItemGroupDef>`,
  )
  return `${groups.join('')}<ItemGroupDef OID="END" Name="E" Type="Section" Repeating="No"><ItemRef ItemOID="I" Mandatory="No"/></ItemGroupDef><ItemDef OID="I" Name="I" DataType="text"/>`
}

/** Every form in every visit. */
function manyVisits(count: number): string {
  const names = Array.from({ length: count }, (_, at) => at)
  const references = names.map((at) => `<FormRef FormOID="F${at}" Mandatory="No"/>`).join('')
  const parts = names.map((at) => [
    `<StudyEventDef OID="E${at}" Name="E" Repeating="No" Type="Scheduled">${references}</StudyEventDef>`,
    `<FormDef OID="F${at}" Name="F" Repeating="No"><ItemGroupRef ItemGroupOID="G" Mandatory="No"/></FormDef>`,
  ])
  return odm1(
    `${parts.map(([event]) => event).join('')}${parts.map(([, one]) => one).join('')}<ItemGroupDef OID="G" Name="G" Repeating="No"><ItemRef ItemOID="I" Mandatory="No"/></ItemGroupDef><ItemDef OID="I" Name="I" DataType="text"/>`,
  )
}

function longList(length: number): string {
  const items = Array.from(
    { length },
    (_, at) => `<CodeListItem CodedValue="${at}"><Decode><TranslatedText>c</TranslatedText></Decode></CodeListItem>`,
  )
  return `<CodeList OID="CL" Name="L" DataType="text">${items.join('')}</CodeList>`
}

function chain(length: number): string {
  const names = Array.from({ length }, (_, at) => `I${at}`)
  const items = names.map(
    (name, at) => [name, 'DataType="text"', '', `CollectionExceptionConditionOID="C${at}"`] as const,
  )
  const conditions = names.map(
    (_, at) =>
      `<ConditionDef OID="C${at}" Name="C"><Description><TranslatedText>c</TranslatedText></Description><FormalExpression Context="OpenEDC">I${(at + 1) % length} == "1"</FormalExpression></ConditionDef>`,
  )
  return odm1(form(items, conditions.join('')))
}
