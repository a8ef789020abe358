import type { JsonValue } from '#core/json.ts'

/** Made-up subjects of the demo study: what was entered on which page, by folder and page code. */
export interface DemoPatient {
  readonly center: 0 | 1
  readonly initials: string
  readonly sex: 'F' | 'M'
  readonly enrolledOn: string
  readonly name: string
  readonly pages: readonly { readonly folder: string; readonly page: string; readonly values: Readonly<Record<string, JsonValue>>; readonly submit: boolean }[]
}

export const demoPatients: readonly DemoPatient[] = [
  {
    center: 0,
    initials: 'ZXM',
    sex: 'F',
    enrolledOn: '2026-09-07',
    name: '张晓梅',
    pages: [
      { folder: 'V1', page: 'DM', submit: true, values: { icf_date: '2026-09-07', birth: '1961-03-18', sex: '2', nation: '1' } },
      { folder: 'V1', page: 'VS', submit: true, values: { vs_date: '2026-09-07', height: 160, weight: 64.5, pulse: 78, sbp: 138, dbp: 84 } },
      { folder: 'V1', page: 'AP', submit: false, values: { attacks: 4, duration: '2', ccs: '2', nitro: '1', nitro_dose: 3 } },
      { folder: 'V2', page: 'VS', submit: false, values: { vs_date: '2026-09-21', weight: 64, pulse: 74, sbp: 132, dbp: 80 } },
      { folder: 'V2', page: 'AE', submit: false, values: { ae_any: '0' } },
    ],
  },
  {
    center: 0,
    initials: 'LJG',
    sex: 'M',
    enrolledOn: '2026-09-14',
    name: '李建国',
    pages: [
      { folder: 'V1', page: 'DM', submit: true, values: { icf_date: '2026-09-14', birth: '1955-11-02', sex: '1', nation: '1' } },
      { folder: 'V1', page: 'VS', submit: false, values: { vs_date: '2026-09-14', height: 172, weight: 80, pulse: 70, sbp: 146, dbp: 90 } },
      { folder: 'V2', page: 'AE', submit: false, values: { ae_any: '1', ae_term: '腹泻', ae_start: '2026-09-20', ae_grade: '1', ae_serious: '0' } },
    ],
  },
  {
    center: 0,
    initials: 'WSF',
    sex: 'F',
    enrolledOn: '2026-10-12',
    name: '王淑芬',
    pages: [{ folder: 'V1', page: 'DM', submit: false, values: { icf_date: '2026-10-12', birth: '1958-06-30', sex: '2' } }],
  },
  {
    center: 1,
    initials: 'CYH',
    sex: 'M',
    enrolledOn: '2026-09-28',
    name: '陈永华',
    pages: [
      { folder: 'V1', page: 'DM', submit: true, values: { icf_date: '2026-09-28', birth: '1963-01-09', sex: '1', nation: '2' } },
      { folder: 'V1', page: 'AP', submit: false, values: { attacks: 0, ccs: '1', nitro: '0' } },
    ],
  },
  { center: 1, initials: 'SLP', sex: 'F', enrolledOn: '2026-11-02', name: '孙丽萍', pages: [] },
]
