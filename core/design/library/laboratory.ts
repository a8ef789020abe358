import type { Column, ColumnGroup } from '#core/form/definition/column.ts'
import { choice, date, files, notInFuture, number, option, part, radio, requireField, text, yesNo } from './columns.ts'
import type { Words } from './columns.ts'
import type { LibraryPage } from './libraryPage.ts'

/** The investigator's judgement of a result. Reference ranges are the laboratory's own. */
const JUDGED = [
  choice('NORMAL', ['正常', 'Normal']),
  choice('NCS', ['异常无临床意义', 'Abnormal, not clinically significant']),
  choice('CS', ['异常有临床意义', 'Abnormal, clinically significant']),
]

type Test = readonly [code: string, words: Words, unit: string, possible: readonly [number, number], precision: number]

/** The result of a test and its judgement, by the CDISC code of the test (LBTESTCD). */
function results([code, words, unit, possible, precision]: Test, show: string): readonly Column[] {
  const [zh, en] = words
  return [
    number(`LBORRES${code}`, words, unit, { show, possible, precision }),
    radio(`LBCLSIG${code}`, [`${zh}：判断`, `${en}: judgement`], JUDGED, {
      show,
      require: `page.LBORRES${code} >= 0.0`,
    }),
  ]
}

/** A panel of tests of one sample: whether and when the sample was taken, and each result. */
function panel(name: string, words: Words, tests: readonly Test[]): ColumnGroup {
  const done = `page.LBPERF${name} == "Y"`
  return part(
    name.toLowerCase(),
    words,
    requireField(yesNo(`LBPERF${name}`, ['是否检查', 'Done'])),
    requireField(text(`LBREASND${name}`, ['未检查的原因', 'Reason not done'], { show: `page.LBPERF${name} == "N"` })),
    requireField(
      date(`LBDAT${name}`, ['采样日期', 'Date of sample'], { show: done, checks: [notInFuture(`LBDAT${name}`)] }),
    ),
    ...tests.flatMap((test) => results(test, done)),
  )
}

/** Laboratory (CDASH LB): blood count, liver and kidney function. */
export const laboratory: LibraryPage = {
  id: 'lib-LB',
  part: 'general',
  pageCode: 'LB',
  name: { zh: '实验室检查', en: 'Laboratory' },
  about: {
    zh: '血常规、肝肾功能，各项结果与临床意义判断',
    en: 'Blood count, liver and kidney function, each with its clinical significance',
  },
  repeatable: false,
  option: option(
    panel(
      'HEM',
      ['血常规', 'Blood count'],
      [
        ['WBC', ['白细胞计数', 'White blood cells'], '10^9/L', [0, 500], 2],
        ['RBC', ['红细胞计数', 'Red blood cells'], '10^12/L', [0, 12], 2],
        ['HGB', ['血红蛋白', 'Haemoglobin'], 'g/L', [10, 300], 0],
        ['PLAT', ['血小板计数', 'Platelets'], '10^9/L', [0, 3000], 0],
        ['NEUTLE', ['中性粒细胞百分比', 'Neutrophils'], '%', [0, 100], 1],
        ['LYMLE', ['淋巴细胞百分比', 'Lymphocytes'], '%', [0, 100], 1],
      ],
    ),
    panel(
      'CHEM',
      ['肝肾功能', 'Liver and kidney function'],
      [
        ['ALT', ['丙氨酸氨基转移酶', 'Alanine aminotransferase'], 'U/L', [0, 10_000], 1],
        ['AST', ['天门冬氨酸氨基转移酶', 'Aspartate aminotransferase'], 'U/L', [0, 10_000], 1],
        ['GGT', ['γ-谷氨酰转移酶', 'Gamma glutamyl transferase'], 'U/L', [0, 5000], 1],
        ['ALP', ['碱性磷酸酶', 'Alkaline phosphatase'], 'U/L', [0, 5000], 1],
        ['BILI', ['总胆红素', 'Total bilirubin'], 'μmol/L', [0, 1000], 1],
        ['CREAT', ['肌酐', 'Creatinine'], 'μmol/L', [5, 3000], 1],
        ['UREAN', ['尿素氮', 'Urea nitrogen'], 'mmol/L', [0, 100], 2],
      ],
    ),
    part(
      'report',
      ['报告单', 'Report'],
      text('LBNAM', ['检测实验室', 'Laboratory']),
      files('LBREPORT', ['报告单照片', 'Photographs of the report']),
    ),
  ),
}
