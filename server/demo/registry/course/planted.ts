import type { Values } from '#server/demo/course/entered.ts'
import type { PlantedPage } from '#server/demo/course/pages.ts'

/**
 * What is special about pages of the registry: a warning that was answered, missing values with their reasons, a
 * correction, two people who entered different things, and a second pass that says something else.
 */

export const planted: readonly PlantedPage[] = [
  {
    no: 'BM-002',
    folder: 'ENR',
    page: 'SCA',
    values: { hours: 1.5 },
    confirmed: { hours: '核对睡眠日记：近 7 天因家中变故几乎整夜未眠，平均 1.5 小时。' },
  },
  {
    no: 'BM-003',
    folder: 'F1',
    page: 'SCA',
    without: ['wakings'],
    missing: { wakings: { m: 'UNK', reason: '受试者未记录睡眠日记' } },
  },
  {
    no: 'BM-005',
    folder: 'ENR',
    page: 'RX',
    values: { packets: 41 },
    confirmed: { packets: '外地受试者，一次带足四周余药量，药房已核对。' },
    corrections: [
      {
        values: { packets: 14 },
        reason: { code: 'transcription', text: '录反数字，源处方为 14 剂' },
        submit: true,
      },
    ],
  },
  {
    no: 'BM-009',
    folder: 'F1',
    page: 'SCA',
    values: { hours: 5.2 },
    // The investigator entered the same page from the diary, without having seen the coordinator's value.
    corrections: [{ values: { hours: 5.8 }, reason: null, submit: false, by: 'tcmpi', unseen: true }],
  },
  {
    no: 'BM-010',
    folder: 'F1',
    page: 'TCM',
    without: ['lips'],
    submit: false,
  },
]

/** Pages of the second pass: who entered them saw the paper record, and read some of it otherwise. */
export const SECOND_PASS: readonly {
  readonly no: string
  readonly folder: string
  readonly page: string
  readonly values?: Values
}[] = [
  { no: 'BM-001', folder: 'ENR', page: 'DX', values: { months: 36, complaints: ['1'] } },
  { no: 'BM-001', folder: 'ENR', page: 'SYN' },
  { no: 'BM-001', folder: 'ENR', page: 'SCA', values: { latency: 90 } },
  { no: 'BM-003', folder: 'ENR', page: 'DX' },
  { no: 'BM-003', folder: 'ENR', page: 'SYN' },
]
