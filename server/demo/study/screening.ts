import type { Column } from '#core/form/definition/column.ts'
import {
  check,
  checkbox,
  choices,
  computeField,
  date,
  group,
  longText,
  number,
  page,
  radio,
  requireField,
  select,
  text,
  yesNo,
} from '#server/demo/study/columns.ts'

/** Screening: consent and demographics, eligibility, history. */

export const demographics = page(
  'DM',
  ['知情同意与人口学', 'Consent and demographics'],
  [
    group(
      'consent',
      ['知情同意', 'Informed consent'],
      requireField(date('icf_date', ['签署知情同意书日期', 'Date of informed consent'])),
      text('icf_version', ['知情同意书版本', 'Version of the consent form'], { value: 'V2.0', maxlength: 20 }),
      requireField(
        yesNo('icf_copy', ['是否已将一份副本交给受试者', 'Copy given to the subject'], {
          zl: {
            checks: [
              check('icf_copy', 'page.icf_copy == "0"', 'warning', [
                '应将知情同意书副本交给受试者。',
                'The subject should be given a copy of the consent form.',
              ]),
            ],
          },
        }),
      ),
    ),
    group(
      'person',
      ['人口学资料', 'Demographics'],
      requireField(
        date('birth', ['出生日期', 'Date of birth'], {
          zl: { identifier: true, note: '以身份证为准', noteEn: 'As on the identity card' },
        }),
      ),
      computeField('age', ['年龄', 'Age'], ['岁', 'years'], 'age(page.birth, page.icf_date)', {
        checks: [
          check('age', 'page.age < 30.0 || page.age > 75.0', 'query', [
            '年龄应为 30～75 岁。',
            'Age should be 30 to 75.',
          ]),
        ],
      }),
      requireField(radio('sex', ['性别', 'Sex'], choices(['男', 'Male'], ['女', 'Female']))),
      requireField(
        yesNo('childbearing', ['是否有生育能力', 'Of childbearing potential'], {
          zl: { show: 'page.sex == "2" && page.age < 55.0' },
        }),
      ),
      requireField(
        radio(
          'pregnancy',
          ['尿妊娠试验', 'Urine pregnancy test'],
          choices(['阴性', 'Negative'], ['阳性', 'Positive']),
          {
            zl: {
              show: 'page.childbearing == "1"',
              checks: [
                check('pregnancy', 'page.pregnancy == "2"', 'error', [
                  '妊娠试验阳性者不得入组。',
                  'A pregnant woman must not be enrolled.',
                ]),
              ],
            },
          },
        ),
      ),
      select(
        'nation',
        ['民族', 'Ethnic group'],
        choices(['汉族', 'Han'], ['满族', 'Manchu'], ['回族', 'Hui'], ['蒙古族', 'Mongol'], ['其他', 'Other']),
      ),
      requireField(text('nation_other', ['其他民族', 'Other ethnic group'], { zl: { show: 'page.nation == "5"' } })),
      select(
        'education',
        ['文化程度', 'Education'],
        choices(
          ['小学及以下', 'Primary school or below'],
          ['初中', 'Junior secondary school'],
          ['高中或中专', 'Senior secondary or vocational school'],
          ['大专', 'Junior college'],
          ['本科及以上', 'Bachelor’s degree or above'],
        ),
      ),
      radio(
        'occupation',
        ['职业性质', 'Kind of work'],
        choices(['脑力劳动', 'Mental work'], ['体力劳动', 'Manual work'], ['离退休', 'Retired'], ['其他', 'Other']),
      ),
    ),
    group(
      'contact',
      ['联系方式', 'Contact'],
      text('contact', ['联系人姓名', 'Name of a contact'], { zl: { identifier: true } }),
      text('phone', ['联系电话', 'Phone'], {
        zl: { identifier: true, validation: 'phone', note: '用于随访提醒', noteEn: 'For reminders of visits' },
      }),
    ),
  ],
)

const INCLUSION: readonly (readonly [string, string])[] = [
  ['符合稳定型心绞痛诊断标准，CCS 分级Ⅰ～Ⅲ级', 'Stable angina, CCS class I to III'],
  ['年龄 30～75 岁', 'Age 30 to 75'],
  ['中医辨证为气滞血瘀证', 'Syndrome of qi stagnation and blood stasis'],
  ['近 4 周每周心绞痛发作不少于 2 次', 'At least two attacks a week in the last four weeks'],
  ['自愿参加并签署知情同意书', 'Informed consent given'],
]

const EXCLUSION: readonly (readonly [string, string])[] = [
  ['3 个月内发生急性心肌梗死或行血运重建', 'Myocardial infarction or revascularisation within three months'],
  ['合并重度心力衰竭（NYHA Ⅳ级）或严重心律失常', 'Heart failure NYHA IV or severe arrhythmia'],
  ['血压控制不良（≥180/110 mmHg）', 'Blood pressure not controlled (180/110 mmHg or more)'],
  ['肝、肾功能明显异常（ALT 或 AST 超过上限 2 倍，或肌酐超过上限）', 'Liver or kidney function clearly abnormal'],
  ['妊娠期、哺乳期妇女', 'Pregnant or breast-feeding'],
  ['1 个月内参加过其他药物临床试验', 'In another drug trial within one month'],
]

/** Answers that contradict the demographics page. */
const AGE_STATED = check('age_stated', 'page.inc2 == "1" && (visit.DM.age < 30.0 || visit.DM.age > 75.0)', 'error', [
  '人口学页的年龄不在 30～75 岁之间，与本条不符。',
  'The age on the demographics page is not 30 to 75, which contradicts this criterion.',
])

function criteria(prefix: 'inc' | 'exc', list: typeof INCLUSION): readonly Column[] {
  return list.map(([zh, en], index) => {
    const prop = `${prefix}${index + 1}`
    const checks = prop === 'inc2' ? [AGE_STATED] : []
    return requireField(yesNo(prop, [`${index + 1}. ${zh}`, `${index + 1}. ${en}`], { zl: { matrix: prefix, checks } }))
  })
}

const [included, excluded] = [criteria('inc', INCLUSION), criteria('exc', EXCLUSION)]
const ELIGIBLE = [
  ...included.map(({ prop }) => `page.${prop} == "1"`),
  ...excluded.map(({ prop }) => `page.${prop} == "0"`),
].join(' && ')

export const eligibility = page(
  'IE',
  ['入选与排除标准', 'Eligibility criteria'],
  [
    group('inclusion', ['入选标准（须全部为“是”）', 'Inclusion criteria (all must be “Yes”)'], ...included),
    group('exclusion', ['排除标准（须全部为“否”）', 'Exclusion criteria (all must be “No”)'], ...excluded),
    group(
      'verdict',
      ['结论', 'Conclusion'],
      radio('eligible', ['是否符合入组条件', 'Eligible'], choices(['符合', 'Eligible'], ['不符合', 'Not eligible']), {
        zl: {
          calculate: `(${ELIGIBLE}) ? "1" : "2"`,
          checks: [
            check('not_eligible', 'page.eligible == "2"', 'warning', [
              '不符合入组条件，请填写研究完成情况页。',
              'Not eligible: fill in the end of study page.',
            ]),
          ],
        },
      }),
      requireField(
        longText('ineligible_why', ['不符合的说明', 'Why not eligible'], { zl: { show: 'page.eligible == "2"' } }),
      ),
      requireField(date('ie_date', ['判断日期', 'Date of the decision'])),
    ),
  ],
)

export const history = page(
  'MH',
  ['心血管病史', 'Cardiovascular history'],
  [
    group(
      'angina',
      ['稳定型心绞痛', 'Stable angina'],
      requireField(
        date('sap_onset', ['确诊日期', 'Diagnosed on'], {
          zl: {
            partial: 'year',
            note: '只知年、月时填到年或月',
            noteEn: 'Year, or year and month, where no more is known',
          },
        }),
      ),
      requireField(
        radio(
          'ccs',
          ['CCS 分级', 'CCS class'],
          choices(['Ⅰ级', 'Class I'], ['Ⅱ级', 'Class II'], ['Ⅲ级', 'Class III'], ['Ⅳ级', 'Class IV']),
          {
            zl: {
              checks: [
                check('ccs', 'page.ccs == "4"', 'query', [
                  'CCS Ⅳ级不符合入选标准，请核对。',
                  'CCS class IV does not meet the inclusion criteria; please verify.',
                ]),
              ],
            },
          },
        ),
      ),
      requireField(yesNo('imaged', ['是否做过冠脉造影或冠脉 CTA', 'Coronary angiography or CT done'])),
      date('imaged_on', ['检查日期', 'Date of imaging'], { zl: { show: 'page.imaged == "1"', partial: 'month' } }),
      checkbox(
        'vessels',
        ['病变血管', 'Vessels affected'],
        choices(
          ['左主干', 'Left main'],
          ['前降支', 'Left anterior descending'],
          ['回旋支', 'Circumflex'],
          ['右冠状动脉', 'Right coronary'],
        ),
        { zl: { show: 'page.imaged == "1"' } },
      ),
      number('stenosis', ['最重狭窄程度', 'Worst stenosis'], '%', {
        possible: [0, 100],
        precision: 0,
        show: 'page.imaged == "1"',
      }),
    ),
    group(
      'events',
      ['既往心血管事件', 'Previous cardiovascular events'],
      requireField(yesNo('infarction', ['既往心肌梗死', 'Myocardial infarction before'])),
      requireField(
        date('infarction_on', ['心肌梗死日期', 'Date of the infarction'], {
          zl: {
            partial: 'month',
            show: 'page.infarction == "1"',
            checks: [
              check('infarction_recent', 'days(page.infarction_on, visit.DM.icf_date) < 90.0', 'error', [
                '心肌梗死距签署知情同意不足 3 个月，符合排除标准第 1 条。',
                'Infarction less than three months before consent: exclusion criterion 1.',
              ]),
            ],
          },
        }),
      ),
      radio('revascularised', ['血运重建', 'Revascularisation'], choices(['无', 'None'], 'PCI', 'CABG')),
      date('revascularised_on', ['血运重建日期', 'Date of revascularisation'], {
        zl: { partial: 'year', show: 'page.revascularised != "1"' },
      }),
      yesNo('stroke', ['既往脑卒中', 'Stroke before']),
    ),
    group(
      'risks',
      ['危险因素', 'Risk factors'],
      requireField(yesNo('hypertension', ['高血压', 'Hypertension'])),
      number('hypertension_years', ['高血压病程', 'Years of hypertension'], ['年', 'years'], {
        possible: [0, 70],
        precision: 0,
        show: 'page.hypertension == "1"',
      }),
      requireField(yesNo('diabetes', ['糖尿病', 'Diabetes'])),
      yesNo('dyslipidaemia', ['血脂异常', 'Dyslipidaemia']),
      yesNo('family', ['早发冠心病家族史', 'Family history of early coronary disease']),
      radio('smoking', ['吸烟', 'Smoking'], choices(['从不', 'Never'], ['已戒', 'Former'], ['现在吸', 'Current'])),
      number('cigarettes', ['每日吸烟', 'Cigarettes a day'], ['支', 'cigarettes'], {
        possible: [0, 100],
        precision: 0,
        show: 'page.smoking != "1"',
      }),
      number('smoking_years', ['吸烟年数', 'Years of smoking'], ['年', 'years'], {
        possible: [0, 70],
        precision: 0,
        show: 'page.smoking != "1"',
      }),
      computeField(
        'pack_years',
        ['吸烟指数', 'Pack years'],
        ['包年', 'pack-years'],
        'round(page.cigarettes / 20 * page.smoking_years, 1)',
        { show: 'page.smoking != "1"' },
      ),
      longText('allergies', ['过敏史', 'Allergies']),
    ),
  ],
)
