import { describe, expect, it } from 'vitest'

import { readOdm } from '#core/exchange/odm/read.ts'

import { columnNamed, columnsOf, form, odm1, odm2, read } from './files.ts'

/** What the parts of an ODM file become. */

function question(zh: string, en = ''): string {
  return `<Question><TranslatedText xml:lang="zh-CN">${zh}</TranslatedText>${en === '' ? '' : `<TranslatedText xml:lang="en">${en}</TranslatedText>`}</Question>`
}

function column(attributes: string, content = '', more = '', reference = '') {
  return columnNamed(read(odm1(form([['X', attributes, content, reference]], more))), 'X')
}

describe('what a file has more than one of', () => {
  const notes = (text: string) => read(text).notCarried.map(({ what, why, text: lost }) => [what, why, lost])

  it('names that cannot be codes are one line with their count', () => {
    const items = Array.from({ length: 12 }, (_, at): readonly [string, string, string] => [
      `I.${at + 1}`,
      'DataType="text"',
      '',
    ])
    expect(notes(odm1(form(items)))).toEqual([
      ['field-name', 'name-not-allowed', 'I.1, I.2, I.3, I.4, I.5, I.6, I.7, I.8, I.9, I.10, … ×12'],
    ])
    expect(notes(odm1(form(items.slice(0, 1))))).toEqual([['field-name', 'name-not-allowed', 'I.1']])
  })

  it('of several units of an item the first is taken, and the others are told by their symbols', () => {
    const units =
      '<MeasurementUnit OID="MU.LB" Name="pound"><Symbol><TranslatedText xml:lang="en">lb</TranslatedText></Symbol></MeasurementUnit></BasicDefinitions>'
    const text = odm1(
      form([
        [
          'W',
          'DataType="float"',
          '<MeasurementUnitRef MeasurementUnitOID="MU.KG"/><MeasurementUnitRef MeasurementUnitOID="MU.LB"/>',
        ],
      ]),
    ).replace('</BasicDefinitions>', units)
    expect(columnNamed(read(text), 'W').zl?.unit).toBe('kg')
    expect(notes(text)).toEqual([['field', 'no-place', 'MeasurementUnit kg; lb']])
  })

  it('of several studies the first that asks for anything is taken, and the others are told by their names', () => {
    const study = (name: string, content: string) =>
      `<Study OID="${name}"><GlobalVariables><StudyName>${name}</StudyName><StudyDescription>S</StudyDescription><ProtocolName>S</ProtocolName></GlobalVariables><MetaDataVersion OID="M.${name}" Name="first">${content}</MetaDataVersion></Study>`
    const own = odm1(form([['X', 'DataType="text"', '']]))
      .replace('<Study OID="S">', `${study('Library', '<CodeList OID="C" Name="C" DataType="text"/>')}<Study OID="S">`)
      .replace('</ODM>', `${study('Second', form([['Y', 'DataType="text"', '']]))}</ODM>`)
    expect(columnNamed(read(own), 'X').type).toBe('input')
    expect(notes(own).filter(([, why]) => why === 'other-version')).toEqual([
      ['element', 'other-version', 'Library: first'],
      ['element', 'other-version', 'Second: first'],
    ])
  })
})

describe('an item', () => {
  it.each([
    ['integer', {}, { type: 'number', zl: { precision: 0 } }],
    ['float', { SignificantDigits: '2' }, { type: 'number', zl: { precision: 2 } }],
    ['double', {}, { type: 'number' }],
    ['date', {}, { type: 'date', valueFormat: 'yyyy-MM-dd' }],
    ['partialDate', {}, { type: 'date', zl: { partial: 'year' } }],
    ['time', {}, { type: 'time', valueFormat: 'HH:mm:ss' }],
    ['datetime', {}, { type: 'datetime' }],
    ['text', { Length: '40' }, { type: 'input', maxlength: 40 }],
    ['text', { Length: '2000' }, { type: 'textarea', maxlength: 2000 }],
    ['boolean', {}, { type: 'radio', dicData: [{ value: '1' }, { value: '0' }], zl: { widget: 'yesno' } }],
  ])('of type %s %j is a field of that kind', (dataType, attributes, expected) => {
    const text = Object.entries(attributes)
      .map(([key, value]) => `${key}="${value}"`)
      .join(' ')
    expect(column(`DataType="${dataType}" ${text}`)).toMatchObject(expected)
  })

  it('of a type that is text here is told of, and keeps its type for other systems', () => {
    const definition = read(odm1(form([['X', 'DataType="partialDatetime"', '']])))
    expect(columnNamed(definition, 'X')).toMatchObject({
      type: 'input',
      zl: { kept: { 'odm.DataType': 'partialDatetime' } },
    })
    expect(definition.notCarried).toContainEqual({
      row: 6,
      field: 'X',
      what: 'field',
      why: 'unknown-type',
      text: 'partialDatetime',
    })
  })

  it('has its question in both languages, and tells of others', () => {
    const definition = read(
      odm1(
        form([
          [
            'X',
            'DataType="text"',
            '<Question><TranslatedText xml:lang="en">Sex</TranslatedText><TranslatedText xml:lang="zh">性别</TranslatedText><TranslatedText xml:lang="de">Geschlecht</TranslatedText></Question>',
          ],
        ]),
      ),
    )
    expect(columnNamed(definition, 'X')).toMatchObject({
      label: '性别',
      zl: { labels: { zh: '性别', en: 'Sex' }, kept: { 'odm.Question.de': 'Geschlecht' } },
    })
    expect(definition.notCarried.map(({ what, why, text }) => [what, why, text])).toEqual([
      ['label', 'other-language', 'Geschlecht'],
    ])
  })

  it('has choices in both languages, in their order', () => {
    const list = `<CodeList OID="CL" Name="Sex" DataType="text">
      <CodeListItem CodedValue="F" OrderNumber="2"><Decode><TranslatedText xml:lang="zh">女</TranslatedText><TranslatedText xml:lang="en">Female</TranslatedText></Decode></CodeListItem>
      <CodeListItem CodedValue="M" OrderNumber="1"><Decode><TranslatedText xml:lang="zh">男</TranslatedText></Decode></CodeListItem></CodeList>`
    expect(column('DataType="text"', '<CodeListRef CodeListOID="CL"/>', list)).toMatchObject({
      type: 'radio',
      dicData: [
        { value: 'M', label: '男' },
        { value: 'F', label: '女', labelEn: 'Female' },
      ],
    })
  })

  it('must be answered where it is mandatory, has a unit, and a hint', () => {
    const text = form([
      [
        'X',
        'DataType="float"',
        `<Description><TranslatedText xml:lang="zh">晨起空腹</TranslatedText></Description>${question('体重')}<MeasurementUnitRef MeasurementUnitOID="MU.KG"/>`,
      ],
    ])
    expect(
      columnNamed(read(odm1(text.replace('ItemOID="X" Mandatory="No"', 'ItemOID="X" Mandatory="Yes"'))), 'X'),
    ).toMatchObject({
      required: true,
      rules: [{ required: true, message: '体重必须填写' }],
      zl: { unit: 'kg', note: '晨起空腹' },
    })
  })

  it('whose OID is no code is called by its name in CDASH, and keeps OID and aliases', () => {
    const definition = read(
      odm1(
        form([
          ['IT.SEX', 'DataType="text"', '<Alias Context="CDASH" Name="SEX"/><Alias Context="SDTM" Name="DM.SEX"/>'],
        ]),
      ),
    )
    expect(columnNamed(definition, 'SEX').zl).toMatchObject({
      sourceOid: 'IT.SEX',
      kept: { 'odm.Alias.CDASH': 'SEX', 'odm.Alias.SDTM': 'DM.SEX' },
    })
    expect(definition.notCarried.map(({ what, why, text }) => [what, why, text])).toEqual([
      ['field-name', 'name-not-allowed', 'IT.SEX'],
    ])
  })

  it('that is coded in a dictionary elsewhere is coded here', () => {
    const list =
      '<CodeList OID="CL" Name="MedDRA" DataType="text"><ExternalCodeList Dictionary="MedDRA" Version="27.0"/></CodeList>'
    expect(column('DataType="text"', '<CodeListRef CodeListOID="CL"/>', list)).toMatchObject({
      type: 'input',
      encode: true,
    })
  })
})

describe('a range check', () => {
  const range = (comparator: string, value: string, softHard = 'Hard', message = '') =>
    `<RangeCheck Comparator="${comparator}" SoftHard="${softHard}">${value
      .split('|')
      .map((one) => `<CheckValue>${one}</CheckValue>`)
      .join('')}${
      message === '' ? '' : `<ErrorMessage><TranslatedText xml:lang="en">${message}</TranslatedText></ErrorMessage>`
    }</RangeCheck>`

  it('is a bound where it is hard, and has no words', () => {
    expect(column('DataType="integer"', range('GE', '18') + range('LE', '75')).zl).toMatchObject({ min: 18, max: 75 })
    expect(column('DataType="date"', range('GE', '2024-01-01')).zl).toMatchObject({ min: '2024-01-01' })
  })

  it.each([
    ['LT', '120', 'Hard', 'page.X >= 120.0', 'error'],
    ['GT', '0', 'Hard', 'page.X <= 0.0', 'error'],
    ['EQ', '1', 'Hard', 'page.X != 1.0', 'error'],
    ['NE', '5', 'Soft', 'page.X == 5.0', 'warning'],
    ['IN', '1|2', 'Hard', '!(page.X in [1.0, 2.0])', 'error'],
    ['NOTIN', '8|9', 'Hard', 'page.X in [8.0, 9.0]', 'error'],
  ])('%s %s %s is a check', (comparator, value, softHard, when, severity) => {
    expect(column('DataType="integer"', range(comparator, value, softHard)).zl?.checks).toMatchObject([
      { when, severity },
    ])
  })

  it('is an end of what is plausible where it is soft, and has no words', () => {
    expect(column('DataType="integer"', range('GE', '18', 'Soft') + range('LE', '75', 'Soft')).zl).toEqual({
      precision: 0,
      plausible: { min: 18, max: 75 },
    })
  })

  it('says what is wrong in its own words', () => {
    expect(column('DataType="integer"', range('GE', '18', 'Hard', 'Adults only')).zl?.checks).toMatchObject([
      { when: 'page.X < 18.0', message: { zh: 'Adults only' } },
    ])
  })

  it('of something that is no number is told of', () => {
    const definition = read(odm1(form([['X', 'DataType="integer"', range('GE', 'eighteen')]])))
    expect(definition.notCarried).toContainEqual(
      expect.objectContaining({ field: 'X', what: 'range', why: 'not-a-constant', text: 'GE eighteen' }),
    )
  })
})

describe('groups, forms and events', () => {
  it('a group that repeats is a table, and its conditions read the row', () => {
    const definition = read(
      odm1(
        form(
          [
            ['AEYN', 'DataType="text"', ''],
            ['AETERM', 'DataType="text"', '', 'CollectionExceptionConditionOID="C"'],
          ],
          `<ConditionDef OID="C" Name="C"><Description><TranslatedText>none</TranslatedText></Description><FormalExpression Context="XPath">../ItemData[@ItemOID='AEYN']='N'</FormalExpression></ConditionDef>`,
          'Yes',
        ),
      ),
    )
    const [table] = columnsOf(definition.pages[0]?.option ?? { column: [] })
    expect(table).toMatchObject({
      prop: 'IG',
      type: 'dynamic',
      label: 'Signs',
      children: { column: [{ prop: 'AEYN' }, { prop: 'AETERM' }] },
    })
    expect(columnNamed(definition, 'AETERM').zl?.show).toBe('!rcEq((has(row.AEYN) ? dyn(row.AEYN) : dyn("")), "N")')
  })

  it('visits follow the protocol, not the order of the file', () => {
    const event = (oid: string, attributes: string) =>
      `<StudyEventDef OID="${oid}" Name="${oid} visit" ${attributes}><FormRef FormOID="VS" Mandatory="Yes"/></StudyEventDef>`
    const definition = read(
      odm1(
        `<Protocol><StudyEventRef StudyEventOID="V2" OrderNumber="2" Mandatory="Yes"/><StudyEventRef StudyEventOID="V1" OrderNumber="1" Mandatory="Yes"/><StudyEventRef StudyEventOID="U" OrderNumber="3" Mandatory="No"/><StudyEventRef StudyEventOID="C" OrderNumber="4" Mandatory="No"/></Protocol>` +
          event('V2', 'Repeating="No" Type="Scheduled"') +
          event('V1', 'Repeating="No" Type="Scheduled"') +
          event('U', 'Repeating="Yes" Type="Unscheduled"') +
          event('C', 'Repeating="No" Type="Common"') +
          event('OLD', 'Repeating="No" Type="Scheduled"') +
          form([['X', 'DataType="text"', '']]),
      ),
    )
    expect(definition.folders).toEqual([
      { folderCode: 'V1', folderName: 'V1 visit', pages: ['VS'] },
      { folderCode: 'V2', folderName: 'V2 visit', pages: ['VS'] },
      { folderCode: 'U', folderName: 'U visit', pages: ['VS'], schedule: { kind: 'unscheduled' } },
      { folderCode: 'C', folderName: 'C visit', pages: ['VS'], schedule: { kind: 'log' } },
    ])
    expect(definition.notCarried).toContainEqual(
      expect.objectContaining({ field: 'OLD', what: 'visit', why: 'not-referenced' }),
    )
  })

  it('of ODM 2.0 stand within each other: sections after each other, tables among them', () => {
    const group = (oid: string, type: string, repeating: string, content: string) =>
      `<ItemGroupDef OID="${oid}" Name="${oid} group" Type="${type}" Repeating="${repeating}">${content}</ItemGroupDef>`
    const definition = read(
      odm2(
        group(
          'F',
          'Form',
          'No',
          '<ItemRef ItemOID="A" Mandatory="Yes"/><ItemGroupRef ItemGroupOID="S1" Mandatory="Yes"/><ItemGroupRef ItemGroupOID="T" Mandatory="No"/>',
        ) +
          group(
            'S1',
            'Section',
            'No',
            '<ItemRef ItemOID="B" Mandatory="No"/><ItemGroupRef ItemGroupOID="S2" Mandatory="No"/>',
          ) +
          group('S2', 'Concept', 'No', '<ItemRef ItemOID="C" Mandatory="No"/>') +
          group('T', 'Section', 'Simple', '<ItemRef ItemOID="D" Mandatory="No"/>') +
          ['A', 'B', 'C', 'D'].map((oid) => `<ItemDef OID="${oid}" Name="${oid}" DataType="text"/>`).join(''),
      ),
    )
    const [page] = definition.pages
    expect(page?.option.column.map(({ prop }) => prop)).toEqual(['A'])
    expect(page?.option.group?.map(({ label, column: own }) => [label, own.map(({ prop }) => prop)])).toEqual([
      ['S1 group', ['B']],
      ['S2 group', ['C']],
      ['', ['T']],
    ])
    expect(definition.facts).toMatchObject({ forms: 1, fields: 4 })
  })

  it('that go round in a circle end, and are told of', () => {
    const definition = read(
      odm2(
        `<ItemGroupDef OID="F" Name="F" Type="Form" Repeating="No"><ItemGroupRef ItemGroupOID="G" Mandatory="No"/></ItemGroupDef>
         <ItemGroupDef OID="G" Name="G" Type="Section" Repeating="No"><ItemRef ItemOID="A" Mandatory="No"/><ItemGroupRef ItemGroupOID="F" Mandatory="No"/></ItemGroupDef><ItemDef OID="A" Name="A" DataType="text"/>`,
      ),
    )
    expect(definition.notCarried).toContainEqual(
      expect.objectContaining({ what: 'section', why: 'circular', text: 'F' }),
    )
  })

  it('a group without items is a text of its page', () => {
    const definition = read(
      odm1(
        `<FormDef OID="F" Name="F" Repeating="No"><ItemGroupRef ItemGroupOID="INTRO" Mandatory="No"/></FormDef><ItemGroupDef OID="INTRO" Name="Please read" Repeating="No"/><ItemDef OID="X" Name="X" DataType="text"/>`,
      ),
    )
    expect(columnNamed(definition, 'INTRO')).toMatchObject({ type: 'title', label: 'Please read' })
  })
})

describe('conditions and methods', () => {
  const condition = (context: string, text: string) =>
    `<ConditionDef OID="C" Name="None"><Description><TranslatedText>none</TranslatedText></Description><FormalExpression Context="${context}">${text}</FormalExpression></ConditionDef>`
  const withCondition = (context: string, text: string) =>
    read(
      odm1(
        form(
          [
            ['A', 'DataType="text"', ''],
            ['X', 'DataType="text"', '', 'CollectionExceptionConditionOID="C"'],
          ],
          condition(context, text),
        ),
      ),
    )

  it('of our own are taken word for word, turned round: a condition says when a field is not asked for', () => {
    expect(columnNamed(withCondition('zhenglu-cel', '!(page.A == &quot;1&quot;)'), 'X').zl?.show).toBe('page.A == "1"')
    expect(columnNamed(withCondition('zhenglu-cel', 'page.A == &quot;1&quot;'), 'X').zl?.show).toBe('!(page.A == "1")')
  })

  it('of our own that do not fit the page are taken out and told of', () => {
    const definition = withCondition('zhenglu-cel', 'page.NONE == 1')
    expect(columnNamed(definition, 'X').zl?.show).toBeUndefined()
    expect(definition.notCarried).toContainEqual(
      expect.objectContaining({ field: 'X', what: 'branching', why: 'unknown-field' }),
    )
  })

  it.each([
    ['Python', 'a == 1', 'unknown-context'],
    ['OpenEDC', 'A == ', 'expression-syntax'],
    ['OpenEDC', 'B == &quot;1&quot;', 'unknown-field'],
    ['XPath', "count(../ItemData[@ItemOID='A']) = 1", 'unknown-function'],
    ['OpenEDC', '('.repeat(5_000), 'expression-too-complex'],
  ])('in %s (%#) are kept and told of where they cannot be translated', (context, text, why) => {
    const definition = withCondition(context, text)
    const plain = text.replaceAll('&quot;', '"').trim()
    expect(columnNamed(definition, 'X').zl).toEqual({
      kept: { 'odm.Condition': JSON.stringify({ name: 'None', context, text: plain }) },
    })
    expect(definition.notCarried).toContainEqual(
      expect.objectContaining({ field: 'X', what: 'branching', why, text: plain }),
    )
  })

  it('that follow each other in a circle are broken up', () => {
    const definition = read(
      odm1(
        form(
          [
            ['A', 'DataType="float"', '', 'MethodOID="MA"'],
            ['B', 'DataType="float"', '', 'MethodOID="MB"'],
          ],
          ['A', 'B']
            .map(
              (oid) =>
                `<MethodDef OID="M${oid}" Name="M" Type="Computation"><Description><TranslatedText>m</TranslatedText></Description><FormalExpression Context="OpenEDC">${oid === 'A' ? 'B' : 'A'} + 1</FormalExpression></MethodDef>`,
            )
            .join(''),
        ),
      ),
    )
    expect(definition.notCarried.filter(({ why }) => why === 'circular')).toHaveLength(1)
  })
})

describe('what is not read', () => {
  it('of other namespaces is told of once, with how often it occurs', () => {
    const definition = read(
      odm1(
        form([
          ['A', 'DataType="text" v:Colour="red"', '<v:Widget>w</v:Widget>'],
          ['B', 'DataType="text" v:Colour="blue"', ''],
        ]),
        { root: 'xmlns:v="https://vendor.example/odm"' },
      ),
    )
    expect(definition.notCarried.map(({ field, what, why, text }) => [field, what, why, text])).toEqual([
      ['A', 'extension', 'foreign-namespace', 'ItemDef {https://vendor.example/odm}Colour="red" ×2'],
      ['A', 'extension', 'foreign-namespace', '{https://vendor.example/odm}Widget w'],
    ])
  })

  it('of ODM itself has no place here', () => {
    const definition = read(
      odm1(form([['A', 'DataType="text"', '<Role>x</Role>']], '<Presentation OID="P">&lt;b&gt;</Presentation>')),
    )
    expect(definition.notCarried.map(({ what, why, text }) => [what, why, text])).toEqual([
      ['element', 'no-place', 'Role x'],
      ['element', 'no-place', 'Presentation OID="P" <b>'],
    ])
  })

  it('are fields and groups that no form names', () => {
    const definition = read(
      odm1(form([['A', 'DataType="text"', '']], '<ItemDef OID="LEFT" Name="Left over" DataType="text"/>')),
    )
    expect(definition.notCarried.map(({ field, what, why, text }) => [field, what, why, text])).toEqual([
      ['LEFT', 'field', 'not-referenced', 'Left over'],
    ])
  })
})

describe('versions', () => {
  it.each(['1.2', '1.2.1', '1.3', '1.3.0', '1.3.1', '1.3.2'])('%s is read', (version) => {
    const text = odm1(form([['A', 'DataType="text"', '']])).replace('1.3.2', version)
    expect(readOdm(version.startsWith('1.2') ? text.replace('/v1.3', '/v1.2') : text).ok).toBe(true)
  })

  it('of the future are refused by their number', () => {
    expect(readOdm(odm1(form([['A', 'DataType="text"', '']])).replace('1.3.2', '3.0'))).toEqual({
      ok: false,
      error: { kind: 'odm-version', version: '3.0' },
    })
  })

  it('of a definition: the last one is read, with those that it includes', () => {
    const file = odm1(form([['A', 'DataType="text"', '']])).replace(
      '</MetaDataVersion>',
      '</MetaDataVersion><MetaDataVersion OID="M2" Name="M2"><Include StudyOID="S" MetaDataVersionOID="M"/><ItemDef OID="A" Name="A" DataType="integer"/></MetaDataVersion>',
    )
    expect(columnNamed(read(file), 'A').type).toBe('number')
  })
})
