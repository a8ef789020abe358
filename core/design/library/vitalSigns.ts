import {
  check,
  choices,
  date,
  notInFuture,
  number,
  option,
  part,
  radio,
  requireField,
  text,
  time,
  yesNo,
} from './columns.ts'
import type { LibraryPage } from './libraryPage.ts'

const DONE = 'page.VSPERF == "Y"'

/** Vital signs (CDASH VS). */
export const vitalSigns: LibraryPage = {
  id: 'lib-VS',
  part: 'general',
  pageCode: 'VS',
  name: { zh: '生命体征', en: 'Vital signs' },
  about: {
    zh: '体温、脉搏、呼吸、血压、身高体重与体重指数',
    en: 'Temperature, pulse, respiration, blood pressure, height, weight and body mass index',
  },
  repeatable: false,
  option: option(
    part(
      'occasion',
      ['测量', 'Measurement'],
      requireField(yesNo('VSPERF', ['是否测量', 'Measured'])),
      requireField(text('VSREASND', ['未测量的原因', 'Reason not done'], { show: 'page.VSPERF == "N"' })),
      requireField(date('VSDAT', ['测量日期', 'Date'], { show: DONE, checks: [notInFuture('VSDAT')] })),
      time('VSTIM', ['测量时间', 'Time'], { show: DONE }),
    ),
    part(
      'signs',
      ['体征', 'Signs'],
      requireField(
        number('TEMP', ['体温', 'Temperature'], '℃', {
          show: DONE,
          precision: 1,
          possible: [30, 45],
          usual: [35, 41],
          normal: [36, 37.2],
        }),
      ),
      requireField(
        number('PULSE', ['脉搏', 'Pulse'], 'bpm', {
          show: DONE,
          precision: 0,
          possible: [20, 250],
          usual: [40, 150],
          normal: [60, 100],
        }),
      ),
      requireField(
        number('RESP', ['呼吸', 'Respiration'], '/min', {
          show: DONE,
          precision: 0,
          possible: [5, 80],
          usual: [8, 40],
          normal: [12, 20],
        }),
      ),
      radio('VSPOS', ['体位', 'Position'], choices(['坐位', 'Sitting'], ['仰卧位', 'Supine'], ['立位', 'Standing']), {
        show: DONE,
      }),
      requireField(
        number('SYSBP', ['收缩压', 'Systolic blood pressure'], 'mmHg', {
          show: DONE,
          precision: 0,
          possible: [40, 300],
          usual: [85, 180],
          normal: [90, 140],
        }),
      ),
      requireField(
        number('DIABP', ['舒张压', 'Diastolic blood pressure'], 'mmHg', {
          show: DONE,
          precision: 0,
          possible: [20, 200],
          usual: [45, 110],
          normal: [60, 90],
          checks: [
            check('DIABPBelow', 'page.DIABP >= page.SYSBP', 'error', [
              '舒张压应低于收缩压。',
              'The diastolic pressure should be below the systolic one.',
            ]),
          ],
        }),
      ),
    ),
    part(
      'body',
      ['身高体重', 'Height and weight'],
      number('HEIGHT', ['身高', 'Height'], 'cm', { show: DONE, precision: 1, possible: [40, 250] }),
      number('WEIGHT', ['体重', 'Weight'], 'kg', { show: DONE, precision: 1, possible: [1, 400] }),
      number('BMI', ['体重指数', 'Body mass index'], 'kg/m²', {
        calculate: 'round(page.WEIGHT / pow(page.HEIGHT / 100, 2), 1)',
        usual: [13, 45],
      }),
    ),
  ),
}
