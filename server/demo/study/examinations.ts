import { boundsOf } from '#core/design/library/columns.ts'
import {
  celNumber,
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
  yesNo,
} from '#server/demo/study/columns.ts'

/** The measurements of a visit: vital signs, electrocardiogram, laboratory. */

export const vitalSigns = page(
  'VS',
  ['生命体征', 'Vital signs'],
  [
    group(
      'body',
      ['体格', 'Body measurements'],
      requireField(date('vs_date', ['检查日期', 'Date of examination'])),
      number('height', ['身高', 'Height'], 'cm', { possible: [100, 230], precision: 1 }),
      number('weight', ['体重', 'Weight'], 'kg', { possible: [30, 200], precision: 1 }),
      computeField(
        'bmi',
        ['体重指数（BMI）', 'Body mass index'],
        'kg/m²',
        'round(page.weight / pow(page.height / 100, 2), 1)',
      ),
      number('waist', ['腰围', 'Waist'], 'cm', { possible: [40, 180], precision: 1 }),
    ),
    group(
      'signs',
      ['生命体征（静坐 5 分钟后测量）', 'Vital signs (after sitting for 5 minutes)'],
      number('temperature', ['体温', 'Temperature'], '℃', {
        possible: [34, 42],
        usual: [35, 41],
        normal: [36, 37.2],
        precision: 1,
      }),
      requireField(
        number('pulse', ['脉搏', 'Pulse'], ['次/分', '/min'], {
          possible: [30, 220],
          usual: [40, 150],
          normal: [60, 100],
          precision: 0,
        }),
      ),
      number('breath', ['呼吸', 'Breathing'], ['次/分', '/min'], {
        possible: [6, 60],
        usual: [8, 40],
        normal: [12, 20],
        precision: 0,
      }),
      requireField(
        number('sbp', ['收缩压', 'Systolic pressure'], 'mmHg', {
          precision: 0,
          possible: [40, 300],
          usual: [80, 220],
          normal: [90, 140],
          checks: [
            check('sbp_high', 'page.sbp >= 180.0', 'query', [
              '收缩压 ≥180 mmHg，请复测并核对。',
              'Systolic pressure is 180 mmHg or more; please measure again.',
            ]),
          ],
        }),
      ),
      requireField(
        number('dbp', ['舒张压', 'Diastolic pressure'], 'mmHg', {
          precision: 0,
          possible: [20, 200],
          usual: [40, 130],
          normal: [60, 90],
          checks: [
            check('dbp', 'page.dbp >= page.sbp', 'error', [
              '舒张压应低于收缩压。',
              'Diastolic must be below systolic.',
            ]),
          ],
        }),
      ),
    ),
  ],
)

export const electrocardiogram = page(
  'EG',
  ['心电图', 'Electrocardiogram'],
  [
    group(
      'recording',
      ['12 导联心电图', '12-lead electrocardiogram'],
      requireField(date('eg_date', ['检查日期', 'Date of recording'])),
      requireField(
        number('heart_rate', ['心率', 'Heart rate'], ['次/分', '/min'], { possible: [30, 220], precision: 0 }),
      ),
      select(
        'rhythm',
        ['心律', 'Rhythm'],
        choices(
          ['窦性心律', 'Sinus rhythm'],
          ['心房颤动', 'Atrial fibrillation'],
          ['起搏心律', 'Paced rhythm'],
          ['其他', 'Other'],
        ),
      ),
      number('pr', ['PR 间期', 'PR interval'], 'ms', {
        possible: [80, 400],
        normal: [120, 200],
        precision: 0,
        show: 'page.rhythm != "2"',
      }),
      number('qrs', ['QRS 时限', 'QRS duration'], 'ms', { possible: [50, 250], normal: [60, 110], precision: 0 }),
      requireField(number('qt', ['QT 间期', 'QT interval'], 'ms', { possible: [200, 700], precision: 0 })),
      computeField(
        'qtc',
        ['QTc（Fridericia）', 'QTc (Fridericia)'],
        'ms',
        'round(page.qt / pow(60 / page.heart_rate, 1.0 / 3.0), 0)',
        {
          checks: [
            check('qtc', 'page.qtc > 480.0', 'query', [
              'QTc 超过 480 ms，请核对测量并判断临床意义。',
              'QTc is over 480 ms; please verify and judge.',
            ]),
          ],
        },
      ),
      checkbox(
        'st_t',
        ['ST-T 改变', 'ST-T changes'],
        choices(
          ['无', 'None'],
          ['ST 段压低', 'ST depression'],
          ['ST 段抬高', 'ST elevation'],
          ['T 波低平', 'Flat T waves'],
          ['T 波倒置', 'T-wave inversion'],
        ),
        {
          zl: {
            checks: [
              check('st_t', '"1" in page.st_t && page.st_t.size() > 1', 'error', [
                '“无”不能与其他选项同时选择。',
                '“None” cannot be chosen with another answer.',
              ]),
            ],
          },
        },
      ),
      requireField(
        radio(
          'eg_result',
          ['总体判断', 'Judgement'],
          choices(
            ['正常', 'Normal'],
            ['异常，无临床意义', 'Abnormal, not clinically significant'],
            ['异常，有临床意义', 'Abnormal, clinically significant'],
          ),
        ),
      ),
      requireField(
        longText('eg_note', ['异常说明', 'Description of what is abnormal'], { zl: { show: 'page.eg_result != "1"' } }),
      ),
    ),
  ],
)

/** A reference range: the same for all, or one each for men and women. */
type Reference =
  | readonly [low: number, high: number]
  | { readonly men: readonly [number, number]; readonly women: readonly [number, number] }

/** A laboratory value, and the judgement that is required where the value lies outside of its reference range. */
function test(
  prop: string,
  words: readonly [string, string],
  unit: string,
  reference: Reference,
  limits: { readonly min: number; readonly max: number; readonly precision: number },
) {
  const outside = ([low, high]: readonly [number, number]): string =>
    `(page.${prop} < ${celNumber(low)} || page.${prop} > ${celNumber(high)})`
  const bySex = 'men' in reference
  const ranges = bySex
    ? [
        { when: 'form.SCR.DM.sex == "1"', ...boundsOf(reference.men) },
        { when: 'form.SCR.DM.sex == "2"', ...boundsOf(reference.women) },
      ]
    : [boundsOf(reference)]
  const show = bySex
    ? `form.SCR.DM.sex == "1" ? ${outside(reference.men)} : ${outside(reference.women)}`
    : outside(reference)
  const significant = check(`${prop}_significant`, `page.${prop}_cs == "2"`, 'warning', [
    '有临床意义的异常，请确认是否需在不良事件页记录。',
    'Clinically significant: consider whether it is an adverse event.',
  ])
  return [
    requireField(
      number(prop, words, unit, { possible: [limits.min, limits.max], precision: limits.precision, reference: ranges }),
    ),
    requireField(
      radio(
        `${prop}_cs`,
        [`${words[0]}异常的临床意义`, `Clinical significance of ${words[1]}`],
        choices(['无临床意义', 'Not clinically significant'], ['有临床意义', 'Clinically significant']),
        {
          zl: { show, checks: [significant] },
        },
      ),
    ),
  ]
}

export const laboratory = page(
  'LB',
  ['实验室检查', 'Laboratory'],
  [
    group(
      'sample',
      ['标本', 'Sample'],
      requireField(date('lb_date', ['采样日期', 'Date of sampling'])),
      requireField(yesNo('fasting', ['是否空腹 8 小时以上', 'Fasting for eight hours or more'])),
    ),
    group(
      'blood',
      ['血常规', 'Blood count'],
      ...test('wbc', ['白细胞计数', 'White cells'], '10⁹/L', [3.5, 9.5], { min: 0.1, max: 100, precision: 2 }),
      ...test(
        'rbc',
        ['红细胞计数', 'Red cells'],
        '10¹²/L',
        { men: [4.3, 5.8], women: [3.8, 5.1] },
        { min: 1, max: 10, precision: 2 },
      ),
      ...test(
        'hgb',
        ['血红蛋白', 'Haemoglobin'],
        'g/L',
        { men: [130, 175], women: [115, 150] },
        { min: 30, max: 250, precision: 0 },
      ),
      ...test('plt', ['血小板计数', 'Platelets'], '10⁹/L', [125, 350], { min: 5, max: 1500, precision: 0 }),
    ),
    group(
      'lipids',
      ['血脂', 'Lipids'],
      ...test('tc', ['总胆固醇', 'Total cholesterol'], 'mmol/L', [0, 5.2], { min: 0.5, max: 20, precision: 2 }),
      ...test('tg', ['甘油三酯', 'Triglycerides'], 'mmol/L', [0, 1.7], { min: 0.1, max: 30, precision: 2 }),
      ...test('ldl', ['低密度脂蛋白胆固醇', 'LDL cholesterol'], 'mmol/L', [0, 3.4], {
        min: 0.1,
        max: 15,
        precision: 2,
      }),
      ...test('hdl', ['高密度脂蛋白胆固醇', 'HDL cholesterol'], 'mmol/L', [1, 2.3], { min: 0.1, max: 5, precision: 2 }),
    ),
    group(
      'organs',
      ['肝、肾功能与血糖', 'Liver and kidney function, glucose'],
      ...test(
        'alt',
        ['丙氨酸氨基转移酶（ALT）', 'ALT'],
        'U/L',
        { men: [9, 50], women: [7, 40] },
        { min: 1, max: 5000, precision: 0 },
      ),
      ...test(
        'ast',
        ['天门冬氨酸氨基转移酶（AST）', 'AST'],
        'U/L',
        { men: [15, 40], women: [13, 35] },
        { min: 1, max: 5000, precision: 0 },
      ),
      ...test('urea', ['尿素', 'Urea'], 'mmol/L', [3.1, 8], { min: 0.5, max: 60, precision: 2 }),
      ...test(
        'crea',
        ['肌酐', 'Creatinine'],
        'μmol/L',
        { men: [57, 97], women: [41, 73] },
        { min: 10, max: 2000, precision: 0 },
      ),
      ...test('glu', ['空腹血糖', 'Fasting glucose'], 'mmol/L', [3.9, 6.1], { min: 1, max: 50, precision: 2 }),
    ),
  ],
)
