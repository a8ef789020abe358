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
  severity,
  table,
  text,
  yesNo,
} from '#server/demo/study/columns.ts'

/** Treatment and its course: randomisation, taking the capsules, other drugs, adverse events, the end. */

/** Capsules a day: four, three times. */
export const CAPSULES_A_DAY = 12

export const randomisation = page(
  'RND',
  ['随机与发药', 'Randomisation and dispensing'],
  [
    group(
      'number',
      ['随机', 'Randomisation'],
      requireField(date('rnd_date', ['随机日期', 'Date of randomisation'])),
      requireField(
        text('rnd_no', ['随机号', 'Randomisation number'], {
          maxlength: 10,
          zl: {
            note: '以随机系统给出的号码为准，与受试者编号不同',
            noteEn: 'As given by the randomisation system; not the subject number',
          },
        }),
      ),
      requireField(text('kit_no', ['药物编号', 'Kit number'], { maxlength: 10 })),
    ),
    group(
      'dispensed',
      [
        '首次发药（芎丹通络胶囊或模拟剂，每次 4 粒，每日 3 次）',
        'First dispensing (Xiongdan Tongluo capsules or placebo, 4 capsules 3 times a day)',
      ],
      requireField(
        number('dispensed', ['发放数量', 'Dispensed'], ['粒', 'capsules'], { possible: [0, 2000], precision: 0 }),
      ),
      requireField(
        date('first_dose', ['首次用药日期', 'Date of the first dose'], {
          zl: {
            checks: [
              check('first_dose', 'days(page.rnd_date, page.first_dose) < 0.0', 'error', [
                '首次用药日期早于随机日期。',
                'The first dose is before randomisation.',
              ]),
            ],
          },
        }),
      ),
    ),
  ],
)

export const compliance = page(
  'EX',
  ['用药依从性', 'Compliance'],
  [
    group(
      'period',
      ['用药期间', 'Period of treatment'],
      requireField(date('ex_from', ['上次发药日期', 'Dispensed on'])),
      requireField(
        date('ex_date', ['本次访视日期', 'Date of this visit'], {
          zl: {
            checks: [
              check('ex_order', 'days(page.ex_from, page.ex_date) < 0.0', 'error', [
                '本次访视早于上次发药。',
                'This visit is before the last dispensing.',
              ]),
            ],
          },
        }),
      ),
      computeField(
        'study_day',
        ['距首次用药', 'Days since the first dose'],
        ['天', 'days'],
        'days(form.BL.RND.first_dose, page.ex_date)',
      ),
      computeField('ex_days', ['应用药天数', 'Days of treatment'], ['天', 'days'], 'days(page.ex_from, page.ex_date)'),
    ),
    group(
      'count',
      ['清点', 'Capsule count'],
      requireField(
        number('ex_given', ['上次发放', 'Dispensed last time'], ['粒', 'capsules'], {
          possible: [0, 2000],
          precision: 0,
        }),
      ),
      requireField(
        number('ex_back', ['本次回收', 'Returned'], ['粒', 'capsules'], {
          possible: [0, 2000],
          precision: 0,
          note: '含铝塑板上未服的胶囊',
          noteEn: 'Capsules left in blisters included',
          checks: [
            check('ex_back', 'page.ex_back > page.ex_given', 'error', [
              '回收数量多于发放数量。',
              'More was returned than dispensed.',
            ]),
          ],
        }),
      ),
      computeField('ex_taken', ['实际服用', 'Taken'], ['粒', 'capsules'], 'page.ex_given - page.ex_back'),
      computeField(
        'ex_rate',
        ['依从性', 'Compliance'],
        '%',
        `round(page.ex_taken / (page.ex_days * ${CAPSULES_A_DAY}.0) * 100, 1)`,
        {
          note: '实际服用 ÷（天数 × 12 粒）× 100%',
          noteEn: 'Taken ÷ (days × 12 capsules) × 100%',
          checks: [
            check('ex_rate', 'page.ex_rate < 80.0 || page.ex_rate > 120.0', 'query', [
              '依从性应在 80%～120% 之间，请核对清点并说明。',
              'Compliance should be 80 to 120 %; please verify the count and explain.',
            ]),
          ],
        },
      ),
      longText('ex_why', ['依从性异常的原因', 'Reason'], {
        zl: { show: 'page.ex_rate < 80.0 || page.ex_rate > 120.0' },
      }),
      requireField(yesNo('ex_break', ['期间是否中断用药', 'Treatment interrupted'])),
      requireField(
        number('ex_break_days', ['中断天数', 'Days of interruption'], ['天', 'days'], {
          possible: [1, 60],
          precision: 0,
          show: 'page.ex_break == "1"',
        }),
      ),
      number('ex_next', ['本次发放', 'Dispensed now'], ['粒', 'capsules'], { possible: [0, 2000], precision: 0 }),
    ),
  ],
)

export const otherDrugs = page(
  'CM',
  ['合并用药', 'Concomitant medication'],
  [
    group(
      'drugs',
      [
        '合并用药（含研究开始前已用且继续使用的药物）',
        'Concomitant medication (including drugs begun before the study and continued)',
      ],
      requireField(
        yesNo('cm_any', ['是否有合并用药', 'Any other drug'], {
          zl: {
            checks: [
              check('cm_empty', 'page.cm_any == "1" && !has(page.cm_drugs)', 'warning', [
                '已选“有合并用药”，但没有填写药物。',
                'Other drugs are said to be taken, but none is listed.',
              ]),
            ],
          },
        }),
      ),
      table(
        'cm_drugs',
        ['合并用药记录', 'Other drugs'],
        [
          requireField(text('cm_name', ['药物通用名', 'Generic name'])),
          number('cm_dose', ['每次剂量', 'Dose'], ''),
          select(
            'cm_unit',
            ['单位', 'Unit'],
            choices('mg', 'g', 'μg', ['片', 'tablet'], ['粒', 'capsule'], 'mL', 'IU'),
          ),
          select('cm_freq', ['频次', 'Frequency'], choices('qd', 'bid', 'tid', 'qid', 'qn', 'prn')),
          select(
            'cm_route',
            ['途径', 'Route'],
            choices(
              ['口服', 'Oral'],
              ['舌下', 'Sublingual'],
              ['吸入', 'Inhaled'],
              ['静脉', 'Intravenous'],
              ['皮下', 'Subcutaneous'],
              ['外用', 'Topical'],
            ),
          ),
          text('cm_reason', ['用药原因', 'Indication']),
          date('cm_start', ['开始日期', 'Start'], { zl: { partial: 'year' } }),
          yesNo('cm_ongoing', ['是否仍在使用', 'Ongoing']),
          date('cm_end', ['结束日期', 'End'], { zl: { partial: 'month' } }),
        ],
        { zl: { show: 'page.cm_any == "1"' } },
      ),
    ),
  ],
)

const HAPPENED = 'page.ae_any == "1"'

export const adverseEvents = page(
  'AE',
  ['不良事件', 'Adverse event'],
  [
    group(
      'event',
      ['不良事件（每页一件）', 'Adverse event (one per page)'],
      requireField(yesNo('ae_any', ['是否发生不良事件', 'Adverse event'])),
      requireField(
        text('ae_term', ['不良事件名称', 'Event'], {
          maxlength: 200,
          zl: {
            show: HAPPENED,
            note: '填写诊断；无诊断时填写主要症状或体征',
            noteEn: 'The diagnosis; without one the main symptom or sign',
          },
        }),
      ),
      requireField(
        date('ae_start', ['开始日期', 'Start'], {
          zl: {
            show: HAPPENED,
            checks: [
              check('ae_before', 'days(form.BL.RND.first_dose, page.ae_start) < 0.0', 'query', [
                '开始日期早于首次用药，请确认是否应记为病史。',
                'It began before the first dose; please consider whether it is history.',
              ]),
            ],
          },
        }),
      ),
      requireField(yesNo('ae_ongoing', ['是否仍在持续', 'Ongoing'], { zl: { show: HAPPENED } })),
      requireField(
        date('ae_end', ['结束日期', 'End'], {
          zl: {
            show: 'page.ae_ongoing == "0"',
            checks: [
              check('ae_order', 'days(page.ae_start, page.ae_end) < 0.0', 'error', [
                '结束日期早于开始日期。',
                'The end is before the start.',
              ]),
            ],
          },
        }),
      ),
    ),
    group(
      'judgement',
      ['判断与处理', 'Judgement and action'],
      requireField(severity('ae_grade', { zl: { show: HAPPENED } })),
      requireField(
        radio(
          'ae_related',
          ['与研究药物的关系', 'Related to the study drug'],
          choices(
            ['肯定有关', 'Definitely related'],
            ['很可能有关', 'Probably related'],
            ['可能有关', 'Possibly related'],
            ['可能无关', 'Unlikely related'],
            ['肯定无关', 'Not related'],
          ),
          { zl: { show: HAPPENED } },
        ),
      ),
      radio(
        'ae_action',
        ['对研究药物的措施', 'Action taken'],
        choices(
          ['未改变', 'None'],
          ['减量', 'Dose reduced'],
          ['暂停', 'Drug interrupted'],
          ['永久停用', 'Drug withdrawn'],
        ),
        { zl: { show: HAPPENED } },
      ),
      radio(
        'ae_outcome',
        ['转归', 'Outcome'],
        choices(
          ['痊愈', 'Recovered'],
          ['好转', 'Recovering'],
          ['未好转', 'Not recovered'],
          ['有后遗症', 'Recovered with sequelae'],
          ['死亡', 'Death'],
        ),
        { zl: { show: HAPPENED } },
      ),
      longText('ae_note', ['处理措施', 'Treatment of the event'], { zl: { show: HAPPENED } }),
    ),
    group(
      'serious',
      ['严重不良事件', 'Serious adverse event'],
      requireField(yesNo('ae_serious', ['是否为严重不良事件', 'Serious'], { zl: { show: HAPPENED } })),
      requireField(
        checkbox(
          'sae_kind',
          ['严重的依据', 'Why serious'],
          choices(
            ['死亡', 'Death'],
            ['危及生命', 'Life-threatening'],
            ['住院或住院时间延长', 'Hospitalisation or prolongation of it'],
            ['永久或严重残疾', 'Persistent or significant disability'],
            ['先天异常', 'Congenital anomaly'],
            ['其他重要医学事件', 'Other medically important event'],
          ),
          { zl: { show: 'page.ae_serious == "1"' } },
        ),
      ),
      requireField(date('sae_known', ['研究者获知日期', 'Known since'], { zl: { show: 'page.ae_serious == "1"' } })),
      requireField(
        date('sae_reported', ['上报日期', 'Reported on'], {
          zl: {
            show: 'page.ae_serious == "1"',
            note: '获知后 24 小时内上报申办者与伦理委员会',
            noteEn: 'Report to sponsor and ethics committee within 24 hours of knowing',
            checks: [
              check('sae_late', 'days(page.sae_known, page.sae_reported) > 1.0', 'query', [
                '上报超过获知后 24 小时，请说明。',
                'Reported more than 24 hours after it was known; please explain.',
              ]),
            ],
          },
        }),
      ),
    ),
  ],
  true,
)

export const ending = page(
  'DS',
  ['研究完成情况', 'End of study'],
  [
    group(
      'end',
      ['研究完成情况', 'End of study'],
      requireField(
        radio(
          'ds_status',
          ['完成情况', 'Status'],
          choices(
            ['按方案完成', 'Completed per protocol'],
            ['提前退出', 'Withdrawn early'],
            ['筛选失败', 'Screening failure'],
          ),
          {
            zl: {
              checks: [
                check('ds_screening', 'form.SCR.IE.eligible == "2" && page.ds_status != "3"', 'error', [
                  '入选与排除标准页的结论为“不符合”，应为筛选失败。',
                  'The eligibility page says “not eligible”: this should be a screening failure.',
                ]),
              ],
            },
          },
        ),
      ),
      requireField(date('ds_date', ['完成或退出日期', 'Date'])),
      requireField(date('ds_last_dose', ['末次用药日期', 'Last dose'], { zl: { show: 'page.ds_status != "3"' } })),
      requireField(
        radio(
          'ds_reason',
          ['退出的主要原因', 'Main reason'],
          choices(
            ['受试者撤回同意', 'Consent withdrawn'],
            ['不良事件', 'Adverse event'],
            ['失访', 'Lost to follow-up'],
            ['疗效不佳', 'Lack of efficacy'],
            ['违背方案', 'Protocol deviation'],
            ['其他', 'Other'],
          ),
          { zl: { show: 'page.ds_status == "2"' } },
        ),
      ),
      requireField(
        longText('ds_note', ['原因说明', 'Explanation'], {
          zl: { show: 'page.ds_status == "3" || page.ds_reason == "6"' },
        }),
      ),
      computeField('final_index', ['终点证候疗效指数', 'Improvement at the end'], '%', 'form.V3.EFF.syn_index', {
        show: 'page.ds_status == "1"',
      }),
      radio(
        'final_effect',
        ['终点证候疗效', 'Effect at the end'],
        choices(['显效', 'Markedly effective'], ['有效', 'Effective'], ['无效', 'Ineffective'], ['加重', 'Worse']),
        { zl: { show: 'page.ds_status == "1"', calculate: 'form.V3.EFF.syn_effect' } },
      ),
    ),
  ],
)
