import { describe, expect, it } from 'vitest'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'
import { VersionPages, placeKey } from '#core/form/compiled/version.ts'
import type { JsonValue } from '#core/json.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import { read } from '#tests/core/exchange/odm/files.ts'
import { compiledIn, entry, opened } from '#tests/core/form/filling.ts'

/** The plan of a longitudinal project of REDCap: days of its events, ranges around them, arms, and what repeats. */

interface Event {
  readonly name: string
  readonly plan?: string
  readonly forms?: readonly string[]
  readonly more?: string
}

const FORMS = ['intake', 'visit', 'diary']

function project(events: readonly Event[], { scheduling = '0', settings = '' } = {}): string {
  const unique = ({ name }: Event) => `${name.toLowerCase()}_arm_1`
  const definitions = events.map((event) => {
    const forms = (event.forms ?? FORMS).map(
      (form, at) =>
        `<FormRef FormOID="Form.${form}" OrderNumber="${at + 1}" Mandatory="No" redcap:FormName="${form}"/>`,
    )
    return `<StudyEventDef OID="Event.${unique(event)}" Name="${event.name}" Type="Common" Repeating="No" redcap:EventName="${event.name}" redcap:CustomEventLabel="" redcap:UniqueEventName="${unique(event)}" ${event.more ?? 'redcap:ArmNum="1" redcap:ArmName="Arm 1"'} ${event.plan ?? ''}>${forms.join('')}</StudyEventDef>`
  })
  const forms = FORMS.map(
    (form) =>
      `<FormDef OID="Form.${form}" Name="${form}" Repeating="No" redcap:FormName="${form}"><ItemGroupRef ItemGroupOID="${form}.q" Mandatory="No"/></FormDef>`,
  )
  const groups = FORMS.map(
    (form) =>
      `<ItemGroupDef OID="${form}.q" Name="${form}" Repeating="No"><ItemRef ItemOID="${form}_q" Mandatory="No" redcap:Variable="${form}_q"/></ItemGroupDef>`,
  )
  const items = FORMS.map(
    (form) =>
      `<ItemDef OID="${form}_q" Name="${form}_q" DataType="text" Length="999" redcap:Variable="${form}_q" redcap:FieldType="text"><Question><TranslatedText>${form}</TranslatedText></Question></ItemDef>`,
  )
  return `<?xml version="1.0" encoding="UTF-8" ?><ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" xmlns:redcap="https://projectredcap.org" ODMVersion="1.3.1" FileOID="1" FileType="Snapshot" SourceSystem="REDCap">
<Study OID="Project.P"><GlobalVariables><StudyName>P</StudyName><StudyDescription>P</StudyDescription><ProtocolName>P</ProtocolName><redcap:SchedulingEnabled>${scheduling}</redcap:SchedulingEnabled>${settings}</GlobalVariables>
<MetaDataVersion OID="M" Name="P" redcap:RecordIdField="intake_q">
<Protocol>${events.map((event, at) => `<StudyEventRef StudyEventOID="Event.${unique(event)}" OrderNumber="${at + 1}" Mandatory="No"/>`).join('')}</Protocol>
${[...definitions, ...forms, ...groups, ...items].join('\n')}</MetaDataVersion></Study></ODM>`
}

const days = (day: number, before: number, after: number) =>
  `redcap:DayOffset="${day}" redcap:OffsetMin="${before}" redcap:OffsetMax="${after}"`
const planned = (day: number, before: number, after: number, repeating = false): FolderSchedule => ({
  kind: 'planned',
  anchor: { of: 'enrolment' },
  day,
  before,
  after,
  repeating,
})

describe('a rule that names a field of another event', () => {
  const item = (form: string, attributes: string) =>
    `<ItemDef OID="${form}_q" Name="${form}_q" DataType="text" Length="999" redcap:Variable="${form}_q" ${attributes}><Question><TranslatedText>${form}</TranslatedText></Question></ItemDef>`
  const events = [
    { name: 'Base', forms: ['intake', 'visit'] },
    { name: 'Month', forms: ['visit', 'diary'] },
  ]
  const withRules = (visit: string, diary: string) =>
    read(
      project(events)
        .replace(/<ItemDef OID="visit_q".*?<\/ItemDef>/s, item('visit', visit))
        .replace(/<ItemDef OID="diary_q".*?<\/ItemDef>/s, item('diary', diary)),
    )
  const definition = withRules(
    'redcap:FieldType="text" redcap:TextValidationType="float"',
    'redcap:FieldType="calc" redcap:Calculation="[base_arm_1][visit_q] + [visit_q]" redcap:BranchingLogic="[base_arm_1][intake_q] = &quot;yes&quot;"',
  )

  it('is live: it reads what was entered there', () => {
    expect(definition.notCarried.filter(({ why }) => why === 'field-of-other-event')).toEqual([])
    const version = new VersionPages(
      definition.folders.map(({ folderCode, pages }) => ({
        folderCode,
        pages: pages.map((pageCode) => ({
          pageCode,
          option: JSON.stringify(definition.pages.find((page) => page.pageCode === pageCode)?.option),
        })),
      })),
    )
    const [base, month] = definition.folders.map(({ folderCode }) => folderCode)
    const page = compiledIn(version, { folder: month ?? '', page: 'diary' })
    const state = (values: readonly (readonly [string, string, Readonly<Record<string, JsonValue>>])[]) => {
      const cell = opened(
        page,
        entry({}),
        new Map(values.map(([folder, code, data]) => [placeKey({ folder, page: code }), entry(data)])),
      ).getCell('diary_q')
      return [cell?.visible, cell?.value]
    }
    expect(
      state([
        [base ?? '', 'intake', { intake_q: 'yes' }],
        [base ?? '', 'visit', { visit_q: 2 }],
        [month ?? '', 'visit', { visit_q: 5 }],
      ]),
    ).toEqual([true, 7])
    expect(state([[base ?? '', 'visit', { visit_q: 2 }]])).toEqual([false, null])
  })

  it('goes out as REDCap writes it', () => {
    expect(writeRedcapDictionary(definition.pages)).toMatchObject({ notWritten: [] })
    expect(writeRedcapDictionary(definition.pages).text).toContain('([base_arm_1][visit_q] + [visit_q])')
  })

  it('of an event that has not that form, and of none, is told', () => {
    const lost = (logic: string) =>
      withRules('redcap:FieldType="text"', `redcap:FieldType="text" redcap:BranchingLogic="${logic}"`)
        .notCarried.filter(({ what }) => what === 'branching')
        .map(({ why }) => why)
    expect(lost(`[month_arm_1][intake_q] = '1'`)).toEqual(['field-of-other-event'])
    expect(lost(`[never_arm_1][visit_q] = '1'`)).toEqual(['field-of-other-event'])
    expect(lost(`[previous-event-name][visit_q] = '1'`)).toEqual(['field-of-other-event'])
  })

  it('that closes a circle over two events, or with its own event, is taken out', () => {
    for (const event of ['base', 'month']) {
      const own = withRules(
        `redcap:FieldType="text" redcap:BranchingLogic="[${event}_arm_1][visit_q] = '' and [month_arm_1][visit_q] = '' and [visit_q] = ''"`,
        'redcap:FieldType="text"',
      )
      expect(own.notCarried.filter(({ what }) => what === 'branching').map(({ why }) => why)).toEqual(['circular'])
    }
  })

  it('that closes a circle over events is taken out', () => {
    const circle = withRules(
      `redcap:FieldType="text" redcap:BranchingLogic="[month_arm_1][diary_q] = ''"`,
      `redcap:FieldType="text" redcap:BranchingLogic="[month_arm_1][visit_q] = ''"`,
    )
    expect(circle.notCarried.filter(({ what }) => what === 'branching').map(({ why }) => why)).toEqual(['circular'])
  })
})

describe('the bounds of a field of REDCap', () => {
  it('have the decimal sign of its validation', () => {
    const item = (value: string) =>
      `<ItemDef OID="intake_q" Name="intake_q" DataType="float" redcap:Variable="intake_q" redcap:FieldType="text" redcap:TextValidationType="number_comma_decimal"><Question><TranslatedText>Q</TranslatedText></Question><RangeCheck Comparator="GE" SoftHard="Soft"><CheckValue>${value}</CheckValue><ErrorMessage><TranslatedText>Outside</TranslatedText></ErrorMessage></RangeCheck></ItemDef>`
    const readWith = (value: string) =>
      read(project([{ name: 'Base' }]).replace(/<ItemDef OID="intake_q".*?<\/ItemDef>/s, item(value)))
    for (const [value, min] of [
      ['0,5', 0.5],
      ['-1,25', -1.25],
      ['0.5', 0.5],
    ] as const) {
      const { pages, notCarried } = readWith(value)
      expect({ value, plausible: pages[0]?.option.column[0]?.zl?.plausible }).toEqual({ value, plausible: { min } })
      expect(notCarried.filter(({ what }) => what === 'range')).toEqual([])
    }
    expect(readWith('half').notCarried).toContainEqual(
      expect.objectContaining({ what: 'range', why: 'not-a-constant', text: 'GE half' }),
    )
  })
})

describe('the events of a project of REDCap', () => {
  it('are visits on their days after enrolment, with the range around each', () => {
    const { folders, notCarried } = read(
      project([
        { name: 'Base', plan: days(0, 0, 0) },
        { name: 'Month', plan: days(30, 3, 7) },
      ]),
    )
    expect(folders.map(({ folderName, schedule }) => [folderName, schedule])).toEqual([
      ['Base', planned(0, 0, 0)],
      ['Month', planned(30, 3, 7)],
    ])
    expect(notCarried.filter(({ what }) => what === 'visit')).toEqual([])
  })

  it('that are only numbered, while nothing is scheduled, have no days, which is told; with scheduling they have', () => {
    const numbered: readonly Event[] = [
      { name: 'Base', plan: days(1, 0, 0) },
      { name: 'Second', plan: days(2, 0, 0) },
    ]
    const { folders, notCarried } = read(project(numbered))
    expect(folders.map(({ schedule }) => schedule)).toEqual([undefined, undefined])
    expect(notCarried.filter(({ what }) => what === 'visit').map(({ why, text }) => [why, text])).toEqual([
      ['not-used-by-source', 'DayOffset="1" OffsetMin="0" OffsetMax="0"'],
      ['not-used-by-source', 'DayOffset="2" OffsetMin="0" OffsetMax="0"'],
    ])
    expect(read(project(numbered, { scheduling: '1' })).folders.map(({ schedule }) => schedule)).toEqual([
      planned(1, 0, 0),
      planned(2, 0, 0),
    ])
  })

  it('without days are always there, and none is a log', () => {
    expect(read(project([{ name: 'Only' }])).folders.map(({ schedule }) => schedule)).toEqual([undefined])
  })

  it('of several arms are told of with their arms', () => {
    const { notCarried } = read(
      project([
        { name: 'One', plan: days(0, 0, 0) },
        { name: 'Two', plan: days(9, 1, 1), more: 'redcap:ArmNum="2" redcap:ArmName="Drug B"' },
      ]),
    )
    expect(
      notCarried.filter(({ why, what }) => what === 'visit' && why === 'no-place').map(({ text }) => text),
    ).toEqual(['Arm 1: Arm 1', 'Arm 2: Drug B'])
  })

  it('repeat where the project says so, and so do instruments; neither is told of as unread', () => {
    const settings = `<redcap:RepeatingInstrumentsAndEvents><redcap:RepeatingEvent redcap:UniqueEventName="base_arm_1"/><redcap:RepeatingInstruments><redcap:RepeatingInstrument redcap:UniqueEventName="month_arm_1" redcap:RepeatInstrument="diary" redcap:CustomLabel="[diary_q]"/></redcap:RepeatingInstruments></redcap:RepeatingInstrumentsAndEvents>`
    const { folders, pages, notCarried } = read(
      project(
        [
          { name: 'Base', plan: days(0, 0, 0) },
          { name: 'Month', plan: days(30, 3, 7) },
        ],
        { settings },
      ),
    )
    expect(folders[0]?.schedule).toEqual(planned(0, 0, 0, true))
    expect(pages.map(({ pageCode, repeatable }) => [pageCode, repeatable ?? false])).toEqual([
      ['intake', false],
      ['visit', false],
      ['diary', true],
    ])
    expect(notCarried.filter(({ text }) => text.includes('Repeating'))).toEqual([])
    expect(notCarried).toContainEqual(expect.objectContaining({ field: 'diary', what: 'label', text: '[diary_q]' }))
  })

  it('leave no form out: one that stands in none is told of, and in a visit that is made when it is needed', () => {
    const { folders, pages, notCarried } = read(
      project([{ name: 'Base', plan: days(0, 0, 0), forms: ['intake', 'visit'] }]),
    )
    expect(new Set(folders.flatMap((folder) => folder.pages))).toEqual(new Set(pages.map(({ pageCode }) => pageCode)))
    expect(folders.at(-1)).toMatchObject({ pages: ['diary'], schedule: { kind: 'unscheduled' } })
    expect(notCarried).toContainEqual(expect.objectContaining({ field: 'diary', what: 'page', why: 'not-referenced' }))
  })
})
