import type { Column } from '#core/form/definition/column.ts'
import {
  check,
  choice,
  choices,
  computeField,
  date,
  group,
  longText,
  number,
  page,
  radio,
  requireField,
  severity,
  text,
  yesNo,
} from '#server/demo/study/columns.ts'

/** Sleep scales, the judgement of the effect, adverse reactions and the end of the registry. */

/** The seven components of the Pittsburgh sleep quality index, each 0 to 3. */
export const COMPONENTS = [
  ['p_quality', '主观睡眠质量', 'Subjective sleep quality'],
  ['p_latency', '入睡时间', 'Sleep latency'],
  ['p_duration', '睡眠时间', 'Sleep duration'],
  ['p_efficiency', '睡眠效率', 'Sleep efficiency'],
  ['p_disturbance', '睡眠障碍', 'Sleep disturbances'],
  ['p_medication', '催眠药物', 'Use of sleep medication'],
  ['p_daytime', '日间功能障碍', 'Daytime dysfunction'],
] as const

const GRADES = [0, 1, 2, 3].map((value) => choice(String(value), [`${value} 分`, String(value)]))

function component([prop, zh, en]: (typeof COMPONENTS)[number]): Column {
  return requireField(radio(prop, [zh, en], GRADES, { zl: { matrix: 'psqi' } }))
}

export const sleepScale = page(
  'SCA',
  ['睡眠评估', 'Sleep assessment'],
  [
    group(
      'psqi',
      ['匹兹堡睡眠质量指数（PSQI）', 'Pittsburgh sleep quality index (PSQI)'],
      ...COMPONENTS.map(component),
    ),
    group(
      'total',
      ['总分', 'Total'],
      computeField(
        'psqi',
        ['PSQI 总分', 'PSQI total'],
        ['分', 'points'],
        COMPONENTS.map(([prop]) => `number(page.${prop})`).join(' + '),
        { note: '0～21 分，>7 分为睡眠质量差', noteEn: '0 to 21 points; above 7 is poor sleep' },
      ),
    ),
    group(
      'diary',
      ['睡眠日记（近 7 天平均）', 'Sleep diary (mean of seven days)'],
      requireField(
        number('latency', ['入睡潜伏期', 'Time to fall asleep'], ['分钟', 'min'], {
          possible: [0, 600],
          usual: [0, 240],
          precision: 0,
        }),
      ),
      requireField(
        number('hours', ['总睡眠时间', 'Total sleep time'], ['小时', 'h'], {
          possible: [0, 16],
          usual: [2, 10],
          normal: [6, 9],
          precision: 1,
        }),
      ),
      number('wakings', ['夜间觉醒次数', 'Wakings at night'], ['次', 'times'], {
        possible: [0, 30],
        usual: [0, 10],
        precision: 0,
      }),
    ),
  ],
)

const EFFECTS = choices(
  ['临床痊愈', 'Clinical recovery'],
  ['显效', 'Markedly effective'],
  ['有效', 'Effective'],
  ['无效', 'Ineffective'],
)

export const effect = page(
  'EFF',
  ['疗效评价', 'Assessment of effect'],
  [
    group(
      'index',
      ['PSQI 减分率', 'Reduction of the PSQI'],
      computeField('psqi_before', ['首诊 PSQI', 'PSQI at the first visit'], ['分', 'points'], 'form.ENR.SCA.psqi'),
      computeField('psqi_now', ['本次 PSQI', 'PSQI now'], ['分', 'points'], 'visit.SCA.psqi'),
      computeField(
        'reduction',
        ['减分率', 'Reduction'],
        '%',
        'round((page.psqi_before - page.psqi_now) / page.psqi_before * 100, 1)',
        {
          note: '（首诊总分－本次总分）÷首诊总分×100%',
          noteEn: '(first total − total now) ÷ first total × 100 %',
        },
      ),
      radio('by_index', ['按减分率', 'By the reduction'], EFFECTS, {
        zl: {
          note: '≥75% 临床痊愈，50%～74% 显效，25%～49% 有效，<25% 无效',
          noteEn: '≥75 % recovery, 50 to 74 % marked, 25 to 49 % effective, <25 % ineffective',
          calculate: 'page.reduction >= 75.0 ? "1" : page.reduction >= 50.0 ? "2" : page.reduction >= 25.0 ? "3" : "4"',
        },
      }),
    ),
    group(
      'judged',
      ['医师判定', 'Judged by the physician'],
      requireField(
        radio('judged', ['疗效', 'Effect'], EFFECTS, {
          zl: {
            checks: [
              check('judged', 'page.judged != page.by_index', 'warning', [
                '与按减分率得出的疗效不一致，请核对。',
                'It differs from the effect by the reduction; please verify.',
              ]),
            ],
          },
        }),
      ),
      longText('comment', ['说明', 'Comment']),
    ),
  ],
)

const HAPPENED = 'page.ar_any == "1"'

export const reactions = page(
  'AR',
  ['不良反应', 'Adverse reaction'],
  [
    group(
      'reaction',
      ['不良反应（每页一件）', 'Adverse reaction (one per page)'],
      requireField(yesNo('ar_any', ['是否发生不良反应', 'Adverse reaction'])),
      requireField(text('ar_term', ['名称', 'Reaction'], { maxlength: 200, zl: { show: HAPPENED } })),
      requireField(date('ar_start', ['发生日期', 'Start'], { zl: { show: HAPPENED } })),
      requireField(
        date('ar_end', ['结束日期', 'End'], {
          zl: {
            show: 'page.ar_outcome == "1"',
            checks: [
              check('ar_order', 'days(page.ar_start, page.ar_end) < 0.0', 'error', [
                '结束日期早于发生日期。',
                'The end is before the start.',
              ]),
            ],
          },
        }),
      ),
      requireField(severity('ar_grade', { zl: { show: HAPPENED } })),
      requireField(
        radio(
          'ar_related',
          ['与中药的因果关系', 'Causality'],
          choices(
            ['肯定', 'Certain'],
            ['很可能', 'Probable'],
            ['可能', 'Possible'],
            ['可能无关', 'Unlikely'],
            ['待评价', 'Conditional'],
            ['无法评价', 'Unassessable'],
          ),
          { zl: { show: HAPPENED } },
        ),
      ),
      radio(
        'ar_action',
        ['处理', 'Action'],
        choices(['继续原方', 'Continued'], ['调整处方', 'Prescription changed'], ['停药', 'Stopped']),
        { zl: { show: HAPPENED } },
      ),
      requireField(
        radio(
          'ar_outcome',
          ['转归', 'Outcome'],
          choices(['痊愈', 'Recovered'], ['好转', 'Recovering'], ['未好转', 'Not recovered']),
          { zl: { show: HAPPENED } },
        ),
      ),
      longText('ar_note', ['经过', 'Course'], { zl: { show: HAPPENED } }),
    ),
  ],
  true,
)

export const registryEnd = page(
  'END',
  ['登记结束', 'End of the registry'],
  [
    group(
      'end',
      ['登记结束', 'End of the registry'],
      requireField(
        radio(
          'end_status',
          ['结束情况', 'Status'],
          choices(['完成随访', 'Follow-up completed'], ['失访', 'Lost to follow-up'], ['退出', 'Withdrawn']),
        ),
      ),
      requireField(date('end_date', ['日期', 'Date'])),
      requireField(
        radio(
          'end_reason',
          ['退出原因', 'Reason'],
          choices(['不良反应', 'Adverse reaction'], ['疗效不佳', 'Lack of effect'], ['个人原因', 'Personal reasons']),
          { zl: { show: 'page.end_status == "3"' } },
        ),
      ),
      longText('end_note', ['说明', 'Explanation'], { zl: { show: 'page.end_status != "1"' } }),
    ),
  ],
)
