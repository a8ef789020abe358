import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'

import { VERSIONS, written } from './files.ts'
import { structureErrors } from './structure.ts'

/** What we say of a file of ODM is worth something: it finds what is wrong with one. */

const column: readonly Column[] = [
  {
    prop: 'sex',
    label: 'Sex',
    type: 'radio',
    required: true,
    dicData: [
      { value: 1, label: 'Man' },
      { value: 2, label: 'Woman' },
    ],
  },
  {
    prop: 'weight',
    label: 'Weight',
    type: 'number',
    zl: { unit: 'kg', note: 'In the morning', plausible: { min: 30, max: 250 }, show: 'rcEq(rc.sex, "1")' },
  },
  {
    prop: 'twice',
    label: 'Twice',
    type: 'number',
    zl: {
      calculate: 'dyn(rcNum(rc.weight) * 2.0)',
      checks: [{ id: 'odd', when: 'page.twice > 9.0', severity: 'query', message: { zh: '奇怪', en: 'Odd' } }],
    },
  },
]
const pages = [{ pageCode: 'P', pageName: 'Page', option: { column } }]
const folders = [{ folderCode: 'V', folderName: 'Visit', folderNameEn: '', pages: ['P'] }]
const file = (version: (typeof VERSIONS)[number]) => written({ pages, folders }, version)

/** Changes one thing. Fails where the file has nothing of the kind, as such a case would prove nothing. */
function changed(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, to)
  if (after === text) throw new Error(`nothing to change: ${String(from)}`)
  return after
}

describe.each(VERSIONS)('a file of ODM %s', (version) => {
  it('as it is written is as it must be', () => {
    expect(structureErrors(file(version), version)).toEqual([])
  })

  it('of the other version is not', () => {
    const [other = version] = VERSIONS.filter((one) => one !== version)
    expect(structureErrors(file(other), version)).toContain('ODMVersion is another')
    expect(
      structureErrors(changed(file(other), `ODMVersion="${other}"`, `ODMVersion="${version}"`), version),
    ).toContain('ODM is no element of it')
  })

  it.each<[string, string | RegExp, string, string]>([
    ['an item without a type', / DataType="integer"/, '', 'ItemDef has no DataType'],
    ['a type that nobody knows', 'DataType="float"', 'DataType="weight"', 'ItemDef has DataType="weight"'],
    ['a word that is not yes or no', 'Mandatory="Yes"', 'Mandatory="yes"', 'has Mandatory="yes"'],
    ['a length that is none', 'DataType="float"', 'DataType="float" Length="0"', 'ItemDef has Length="0"'],
    ['an attribute that is of nowhere', '<Question>', '<Question Colour="red">', 'Question has Colour'],
    [
      'a list that is not there',
      'CodeListRef CodeListOID="CL.sex"',
      'CodeListRef CodeListOID="CL.x"',
      'CodeList CL.x is named and not defined',
    ],
    [
      'an item that is not there',
      'ItemRef ItemOID="sex"',
      'ItemRef ItemOID="six"',
      'ItemDef six is named and not defined',
    ],
    [
      'a condition that is not there',
      '<ConditionDef OID="C.1"',
      '<ConditionDef OID="C.9"',
      'ConditionDef C.1 is named and not defined',
    ],
    ['an item that is defined twice', '<ItemDef OID="weight"', '<ItemDef OID="sex"', 'ItemDef sex is defined twice'],
    ['a choice without words', /<Decode>.*?<\/Decode>/s, '', 'CodeListItem holds nothing'],
    [
      'a question after the list',
      /(<Question>(?:(?!<Question>).)*?<\/Question>\s*)(<CodeListRef [^>]*>)/s,
      '$2$1',
      'ItemDef holds CodeListRef Question',
    ],
    [
      'two that count to the same number',
      /(<ItemRef ItemOID="weight"[^>]*OrderNumber=")2/,
      '$11',
      'counts twice to the same number',
    ],
    ['a text where none is', '<MetaDataVersion ', 'here<MetaDataVersion ', 'Study holds text'],
    ['an element of nobody', '<Question>', '<Answer/><Question>', 'Answer is no element of it'],
    [
      'a time that is none',
      'CreationDateTime="2026-01-01T00:00:00Z"',
      'CreationDateTime="today"',
      'ODM has CreationDateTime="today"',
    ],
    ['a file that is cut off', '</ODM>', '', 'not-xml'],
  ])('with %s is found out', (_what, from, to, error) => {
    expect(structureErrors(changed(file(version), from, to), version).join('\n')).toContain(error)
  })
})
