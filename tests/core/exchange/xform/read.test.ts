import { describe, expect, it } from 'vitest'

import type { StudyDefinition } from '#core/exchange/definition.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { isXForm, readXForm } from '#core/exchange/xform/read.ts'

import { compiled, entry, opened } from '../../form/filling.ts'
import { column, columns, lost } from '../xlsform/sheets.ts'

/** ODK XForms as pages: model, bindings and body, and documents that mean harm. */

const HEAD =
  '<?xml version="1.0"?><h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:jr="http://openrosa.org/javarosa">'

function form({
  nodes,
  binds,
  body,
  more = '',
}: {
  readonly nodes: string
  readonly binds: string
  readonly body: string
  readonly more?: string
}): string {
  return `${HEAD}<h:head><h:title>Visit</h:title><model>${more}<instance><data id="visit-1">${nodes}</data></instance>${binds}</model></h:head><h:body>${body}</h:body></h:html>`
}

function read(text: string): StudyDefinition {
  const { kind, result } = readDefinition({ name: 'f.xml', bytes: new TextEncoder().encode(text) }, (bytes) =>
    new TextDecoder().decode(bytes),
  )
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(kind).toBe('xform')
  for (const { option } of result.definition.pages) compiled(option)
  return result.definition
}

describe('an XForm', () => {
  it('becomes what the XLSForm becomes that it was made of', () => {
    const definition = read(
      form({
        nodes: '<smoker/><g><years>3</years><months/></g><drugs><drug/></drugs>',
        binds:
          '<bind nodeset="/data/smoker" type="string" required="true()"/><bind nodeset="/data/g/years" type="int" relevant=" /data/smoker =\'y\'" constraint=". &lt; 100" jr:constraintMsg="Too many"/>' +
          '<bind nodeset="/data/g/months" type="string" calculate="../years * 12"/><bind nodeset="/data/drugs/drug" type="string"/>',
        body:
          '<select1 ref="/data/smoker"><label>Smoker</label><item><label>Yes</label><value>y</value></item><item><label>No</label><value>n</value></item></select1>' +
          '<group ref="/data/g"><label>Smoking</label><input ref="/data/g/years"><label>Years</label><hint>whole</hint></input></group>' +
          '<group ref="/data/drugs"><label>Drugs</label><repeat nodeset="/data/drugs"><input ref="/data/drugs/drug"><label>Drug</label></input></repeat></group>',
      }),
    )
    expect(definition.pages).toMatchObject([{ pageCode: 'visit_1', pageName: 'Visit' }])
    expect(columns(definition).map(({ prop, type }) => `${prop} ${type}`)).toEqual([
      'months input',
      'smoker radio',
      'years number',
      'drugs dynamic',
      'drug input',
    ])
    expect(column(definition, 'smoker')).toMatchObject({
      required: true,
      dicData: [
        { value: 'y', label: 'Yes' },
        { value: 'n', label: 'No' },
      ],
    })
    expect(column(definition, 'years')).toMatchObject({
      value: 3,
      zl: { note: 'whole', precision: 0, checks: [{ message: { zh: 'Too many' } }] },
    })
    const state = opened(compiled(definition.pages[0]?.option ?? { column: [] }), entry({ smoker: 'y', years: 2 }))
    expect(state.getCell('months')?.value).toBe('24')
    expect(lost(definition).filter((line) => !line.includes('visit-1'))).toEqual([])
  })

  it('takes its texts from its translations, Chinese first, and shows values in texts by their names', () => {
    const itext = (language: string, a: string, b: string) =>
      `<translation lang="${language}"><text id="a"><value>${a}</value></text><text id="b"><value>${b}</value><value form="image">jr://images/b.png</value></text></translation>`
    const definition = read(
      form({
        more: `<itext>${itext('English (en)', 'Name', 'You are <output value="/data/a"/>')}${itext('中文 (zh)', '姓名', '你是')}</itext>`,
        nodes: '<a/><b/>',
        binds: '<bind nodeset="/data/a" type="string"/><bind nodeset="/data/b" type="string" readonly="true()"/>',
        body: '<input ref="/data/a"><label ref="jr:itext(\'a\')"/></input><input ref="/data/b"><label ref="jr:itext(\'b\')"/></input>',
      }),
    )
    expect(column(definition, 'a')).toMatchObject({ label: '姓名', zl: { labels: { zh: '姓名', en: 'Name' } } })
    expect(column(definition, 'b')).toMatchObject({
      type: 'title',
      label: '你是',
      zl: { labels: { en: 'You are ${a}' } },
    })
    expect(definition.notCarried.filter(({ what }) => what === 'media')).toHaveLength(2)
  })

  it('offers the choices of a list beside the data, by the answer that its filter asks for', () => {
    const definition = read(
      form({
        nodes: '<region/><city/>',
        binds: '<bind nodeset="/data/region" type="string"/><bind nodeset="/data/city" type="string"/>',
        body: '<select1 ref="/data/region"><label>R</label><item><label>N</label><value>n</value></item></select1><select1 ref="/data/city"><label>C</label><itemset nodeset="instance(\'city\')/root/item[in= /data/region ]"><value ref="name"/><label ref="label"/></itemset></select1>',
      }).replace(
        '</model>',
        '<instance id="city"><root><item><name>a</name><label>A</label><in>n</in></item><item><name>b</name><label>B</label><in>s</in></item></root></instance></model>',
      ),
    )
    const state = opened(compiled(definition.pages[0]?.option ?? { column: [] }), entry({ region: 'n' }))
    expect(state.getCell('city')?.choices.map(({ value }) => value)).toEqual(['a'])
  })

  it('says what the device writes down, what sets values on events, and controls that it does not know', () => {
    const definition = read(
      form({
        nodes: '<start/><a/>',
        binds:
          '<bind nodeset="/data/start" type="dateTime" jr:preload="timestamp" jr:preloadParams="start"/><bind nodeset="/data/a" type="string"/><setvalue event="odk-instance-first-load" ref="/data/a" value="uuid()"/>',
        body: '<input ref="/data/a"><label>A</label></input><submit/>',
      }),
    )
    expect(definition.notCarried.map(({ field, why }) => `${field} ${why}`)).toEqual(
      expect.arrayContaining(['start device-metadata', '/data/a not-a-constant', 'submit unknown-type']),
    )
  })
})

describe('a document that is none, or means harm', () => {
  const body = '<input ref="/data/a"><label>A</label></input>'
  it.each<[string, string, unknown]>([
    ['is cut', form({ nodes: '<a/>', binds: '', body }).slice(0, 300), { kind: 'not-xml', line: 1 }],
    ['has a model and no body', `${HEAD}<h:head><model/></h:head></h:html>`, { kind: 'unknown-format' }],
    ['asks nothing', form({ nodes: '<a/>', binds: '', body: '' }), { kind: 'empty' }],
    [
      'has entities',
      form({ nodes: '<a/>', binds: '', body }).replace(
        '<?xml version="1.0"?>',
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
      ),
      { kind: 'document-type' },
    ],
    [
      'names an entity that there is not',
      form({ nodes: '<a/>', binds: '', body: body.replace('A<', '&e;<') }),
      { kind: 'not-xml', line: 1 },
    ],
    ['has elements within elements', `${HEAD}${'<a>'.repeat(100_000)}`, { kind: 'too-large' }],
    [
      'has a million fields',
      form({ nodes: '', binds: '', body: '<input ref="/data/a"/>'.repeat(700_000) }),
      { kind: 'too-large' },
    ],
    [
      'has hundreds of tables',
      form({
        nodes: '',
        binds: '',
        body: Array.from(
          { length: 500 },
          (_, at) => `<repeat nodeset="/data/r${at}"><input ref="/data/r${at}/x"/></repeat>`,
        ).join(''),
      }),
      { kind: 'too-large' },
    ],
    [
      'has a million attributes',
      form({
        nodes: '',
        binds: '',
        body: `<input ${Array.from({ length: 100_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
      }),
      { kind: 'too-large' },
    ],
  ])('%s', { timeout: 90_000 }, (_what, text, error) => {
    const start = performance.now()
    expect(isXForm(text)).toBe(true)
    expect(readXForm(text, 'x')).toEqual({ ok: false, error })
    expect(performance.now() - start).toBeLessThan(30_000)
  })

  it('with thousands of bindings and repeats is read in bounded time', { timeout: 90_000 }, () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `n${at}`)
    const text = form({
      nodes: names.map((name) => `<${name}/>`).join(''),
      binds: names.map((name) => `<bind nodeset="/data/${name}" calculate="1"/>`).join(''),
      body: `${names
        .slice(0, 100)
        .map(
          (name) =>
            `<repeat nodeset="/data/${name}_r"><input ref="/data/${name}_r/x"><label>X</label></input></repeat>`,
        )
        .join('')}${body}`,
    })
    const start = performance.now()
    expect(readXForm(text, 'x').ok).toBe(true)
    expect(performance.now() - start).toBeLessThan(30_000)
  })
})
