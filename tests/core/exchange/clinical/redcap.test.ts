import { describe, expect, it } from 'vitest'
import { redcapEvents, writeRedcapRecords } from '#core/exchange/clinical/redcap/redcapRecords.ts'
import type { ClinicalNote, ClinicalSubject, ClinicalVersion } from '#core/exchange/clinical/subject.ts'
import { readCsv } from '#core/exchange/csv.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'

import {
  DRUGS,
  EVENT,
  EVERYTHING,
  MISFITS,
  ND,
  ROWS,
  STUDY,
  UNPLANNED,
  VALUES,
  idOf,
  pageOf,
  stream,
  subjectOf,
  textOf,
} from './study.ts'

/** A data import file of REDCap, held against the data dictionary that goes with it. */

const [VERSION] = STUDY.versions

function version(): ClinicalVersion {
  if (VERSION === undefined) throw new Error('no version')
  return VERSION
}

function folder(): ClinicalVersion['folders'][number] {
  const [first] = version().folders
  if (first === undefined) throw new Error('no visit')
  return first
}

/** The lines of a file, each by the names of the columns that hold something. */
async function linesOf(subjects: readonly ClinicalSubject[], of = version()) {
  const notes: ClinicalNote[] = []
  const { dictionary, events, eventForms, lines } = writeRedcapRecords(of, stream(subjects), (note) => notes.push(note))
  const csv = readCsv(await textOf(lines), ',', { records: 1000, cells: 1000, recordLength: 100_000 })
  if (!csv.ok) throw new Error('no CSV')
  const [header = [], ...rows] = csv.records.map((record) => record.cells)
  const records = rows.map((cells) =>
    Object.fromEntries(cells.flatMap((cell, at) => (cell === '' ? [] : [[header[at] ?? '', cell]]))),
  )
  return { dictionary, events, eventForms, header, records, notes: notes.map(({ field, what }) => [field, what]) }
}

describe('a data import file of REDCap', () => {
  it('has a column for every field of the dictionary that takes data, one for each box, and the states of forms', async () => {
    const { header, dictionary } = await linesOf([])
    const read = readRedcapDictionary(dictionary)
    if (!read.ok) throw new Error(read.error.kind)
    const [first] = read.definition.pages
    expect(first?.option.column[0]?.prop).toBe('record_id')
    expect(header.slice(0, 4)).toEqual([
      'record_id',
      'redcap_event_name',
      'redcap_repeat_instrument',
      'redcap_repeat_instance',
    ])
    expect(header).toEqual(
      expect.arrayContaining(['whole', 'several___1', 'several___2', 'all_complete', 'ae_complete']),
    )
    expect(header).not.toContain('photo')
    expect(new Set(header).size).toBe(header.length)
    expect(header.every((name) => /^[a-z0-9_]+$/.test(name))).toBe(true)
  })

  it('has a line for each visit, and one for each repeat of a page or of a visit, numbered from 1', async () => {
    const { records } = await linesOf([
      subjectOf('01-001', [
        pageOf(EVERYTHING, { text: 'a' }, { status: 'other' }),
        pageOf(EVENT, { term: '头痛' }, { pageRepeat: idOf(61) }),
        pageOf(EVENT, { term: '恶心' }, { pageRepeat: idOf(62) }),
        pageOf(EVERYTHING, { text: 'b' }, { folderId: UNPLANNED, folderRepeat: idOf(63) }),
        pageOf(EVENT, { term: '皮疹' }, { folderId: UNPLANNED, folderRepeat: idOf(64) }),
      ]),
    ])
    expect(records).toEqual([
      { record_id: '01-001', redcap_event_name: 'v1_arm_1', text: 'a', all_complete: '2' },
      {
        record_id: '01-001',
        redcap_event_name: 'v1_arm_1',
        redcap_repeat_instrument: 'ae',
        redcap_repeat_instance: '1',
        term: '头痛',
        ae_complete: '0',
      },
      {
        record_id: '01-001',
        redcap_event_name: 'v1_arm_1',
        redcap_repeat_instrument: 'ae',
        redcap_repeat_instance: '2',
        term: '恶心',
        ae_complete: '0',
      },
      {
        record_id: '01-001',
        redcap_event_name: 'uns_arm_1',
        redcap_repeat_instance: '1',
        text: 'b',
        all_complete: '0',
      },
      {
        record_id: '01-001',
        redcap_event_name: 'uns_arm_1',
        redcap_repeat_instance: '2',
        term: '皮疹',
        ae_complete: '0',
      },
    ])
  })

  it('writes values as REDCap stores them', async () => {
    const { records, notes } = await linesOf([subjectOf('S', [pageOf(EVERYTHING, VALUES)])])
    expect(records[0]).toMatchObject({
      whole: '120',
      decimal: '61.5',
      yes: '0',
      grade: '2',
      several___1: '1',
      several___2: '0',
      date: '2024-05-06',
      time: '08:30:15',
      minutes: '08:30',
      moment: '2024-05-06 08:30:15',
      momentofminutes: '2024-05-06 08:30',
      days: '2024-05-06/2024-05-08',
      tags: '甲,"b,c","""d""",',
      places: 'zj/hz,zj/nb',
    })
    expect(notes).toEqual(
      expect.arrayContaining([
        ['photo', 'no-column'],
        ['partly', 'not-of-item'],
        ['several', 'not-in-list'],
      ]),
    )
  })

  it('leaves out what an import would refuse, and tells of it', async () => {
    const { records, notes } = await linesOf([subjectOf('S', [pageOf(EVERYTHING, MISFITS)])])
    for (const field of ['whole', 'decimal', 'grade', 'date', 'time', 'moment'])
      expect(records[0]).not.toHaveProperty(field)
    expect(notes).toEqual(
      expect.arrayContaining([
        ['whole', 'not-of-type'],
        ['grade', 'not-in-list'],
      ]),
    )
  })

  it('has codes for missing data, rows as a text, and nothing of what is hidden, deleted or of the second pass', async () => {
    const { records, notes } = await linesOf([
      subjectOf('S', [
        pageOf(DRUGS, { drugs: ROWS, taken: '1' }, { missing: {}, hidden: ['taken', `drugs.${idOf(72)}.name`] }),
        pageOf(EVENT, { term: 'x' }, { missing: { grade: ND } }),
        pageOf(EVENT, { term: 'y' }, { pass: 2 }),
        pageOf(EVENT, { term: 'z' }, { deleted: true }),
      ]),
    ])
    expect(records).toHaveLength(2)
    expect(records[0]).not.toHaveProperty('taken')
    expect(records[0]?.['drugs']).toContain('阿司匹林')
    expect(records[0]?.['drugs']).not.toMatch(/布洛芬|删除了/)
    expect(records[1]).toMatchObject({ term: 'x', grade: 'ND' })
    expect(notes).toEqual(
      expect.arrayContaining([
        ['drugs', 'not-of-item'],
        ['grade', 'no-column'],
        [null, 'no-column'],
      ]),
    )
  })

  it('names the record by the field of a study that has one, and a subject without data by a line of its own', async () => {
    const page = {
      id: EVERYTHING,
      pageCode: 'demo',
      pageName: 'demo',
      repeatable: false,
      sort: 0,
      option: JSON.stringify({
        column: [
          { prop: 'study_id', label: 'Study ID', type: 'input' },
          { prop: 'age', label: 'Age', type: 'number' },
        ],
      }),
    }
    const one = { ...version(), folders: [{ ...folder(), pages: [page] }] }
    const { header, records, dictionary } = await linesOf(
      [subjectOf('7', [pageOf(EVERYTHING, { study_id: '7', age: 50 })]), subjectOf('8', [])],
      one,
    )
    expect(header).toEqual(['study_id', 'redcap_repeat_instrument', 'redcap_repeat_instance', 'age', 'demo_complete'])
    expect(records).toEqual([{ study_id: '7', age: '50', demo_complete: '0' }, { study_id: '8' }])
    expect(dictionary).not.toContain('record_id')
  })

  it('comes with the events that it names', async () => {
    const { events, eventForms } = await linesOf([])
    expect(events).toBe('event_name,arm_num,unique_event_name\nv1,1,v1_arm_1\nuns,1,uns_arm_1\n')
    expect(eventForms).toContain('1,v1_arm_1,ae\n')
    const names = redcapEvents({
      folders: [
        { ...folder(), id: 'a', folderCode: 'deadline_to_opt_out_of' },
        { ...folder(), id: 'b', folderCode: 'Deadline_to_opt_out_again' },
        { ...folder(), id: 'c', folderCode: 'baseline_arm_1' },
      ],
    })
    expect([...names.values()].map(({ unique }) => unique)).toEqual([
      'deadline_to_opt_ou_arm_1',
      'deadline_to_opt__2_arm_1',
      'baseline_arm_1',
    ])
  })
})
