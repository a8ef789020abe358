import { check, choice, date, number, option, part, requireField, select, table, text, yesNo } from './columns.ts'
import type { Words } from './columns.ts'
import type { LibraryPage } from './libraryPage.ts'

const same = (...values: readonly string[]) => values.map((value) => choice(value, [value, value]))
const makeChoices = (...pairs: readonly (readonly [value: string, words: Words])[]) =>
  pairs.map(([value, words]) => choice(value, words))

/** Concomitant medication (CDASH CM), with the preparations of Chinese medicine. */
export const medication: LibraryPage = {
  id: 'lib-CM',
  part: 'general',
  pageCode: 'CM',
  name: { zh: '合并用药', en: 'Concomitant medication' },
  about: {
    zh: '化学药与中药，剂量、频次、途径与起止日期',
    en: 'Drugs and Chinese medicines, with dose, frequency, route and dates',
  },
  repeatable: false,
  option: option(
    part(
      'medication',
      ['合并用药', 'Concomitant medication'],
      requireField(
        yesNo('CMYN', ['是否有合并用药', 'Any medication'], {
          checks: [
            check('CMYNEmpty', 'page.CMYN == "Y" && !has(page.CM)', 'warning', [
              '已选“有合并用药”，但没有填写药物。',
              'Medication is said to be taken, but none is listed.',
            ]),
          ],
        }),
      ),
      table(
        'CM',
        ['用药记录', 'Medication'],
        [
          requireField({ ...text('CMTRT', ['药物通用名', 'Generic name']), encode: true }),
          select(
            'CMCAT',
            ['类别', 'Category'],
            makeChoices(
              ['CHEMICAL', ['化学药', 'Chemical drug']],
              ['BIOLOGICAL', ['生物制品', 'Biological']],
              ['PATENT', ['中成药', 'Chinese patent medicine']],
              ['DECOCTION', ['中药汤剂', 'Chinese decoction']],
              ['OTHER', ['其他', 'Other']],
            ),
          ),
          text('CMINDC', ['用药原因', 'Indication']),
          number('CMDOSE', ['每次剂量', 'Dose'], ''),
          select(
            'CMDOSU',
            ['单位', 'Unit'],
            [
              ...same('mg', 'g', 'ug', 'mL', 'IU'),
              ...makeChoices(
                ['TABLET', ['片', 'Tablet']],
                ['CAPSULE', ['粒', 'Capsule']],
                ['PACKET', ['袋', 'Packet']],
                ['DOSE', ['剂', 'Dose']],
              ),
            ],
          ),
          select(
            'CMDOSFRQ',
            ['频次', 'Frequency'],
            makeChoices(
              ['QD', ['每日一次', 'Once a day']],
              ['BID', ['每日两次', 'Twice a day']],
              ['TID', ['每日三次', 'Three times a day']],
              ['QID', ['每日四次', 'Four times a day']],
              ['QN', ['每晚一次', 'Once a night']],
              ['PRN', ['必要时', 'As needed']],
              ['ONCE', ['单次', 'Once']],
            ),
          ),
          select(
            'CMROUTE',
            ['途径', 'Route'],
            makeChoices(
              ['ORAL', ['口服', 'Oral']],
              ['SUBLINGUAL', ['舌下', 'Sublingual']],
              ['INTRAVENOUS', ['静脉', 'Intravenous']],
              ['INTRAMUSCULAR', ['肌内', 'Intramuscular']],
              ['SUBCUTANEOUS', ['皮下', 'Subcutaneous']],
              ['RESPIRATORY', ['吸入', 'Inhaled']],
              ['TOPICAL', ['外用', 'Topical']],
              ['OTHER', ['其他', 'Other']],
            ),
          ),
          requireField(date('CMSTDAT', ['开始日期', 'Start date'], { partial: 'year' })),
          yesNo('CMONGO', ['是否仍在使用', 'Ongoing']),
          date('CMENDAT', ['结束日期', 'End date'], {
            partial: 'year',
            show: 'row.CMONGO == "N"',
            checks: [
              check('CMENDATOrder', 'days(row.CMSTDAT, row.CMENDAT) < 0.0', 'error', [
                '结束日期早于开始日期。',
                'The end is before the start.',
              ]),
            ],
          }),
        ],
        { show: 'page.CMYN == "Y"' },
      ),
    ),
  ),
}
