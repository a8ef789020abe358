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
  scale,
  yesNo,
} from '#server/demo/study/columns.ts'

/** The measures of the treatment's effect: attacks and nitroglycerin, quality of life, and both against baseline. */

export const attacks = page(
  'AP',
  ['心绞痛发作与硝酸甘油用量', 'Angina attacks and nitroglycerin'],
  [
    group(
      'attacks',
      ['近一周心绞痛发作', 'Angina attacks in the last week'],
      requireField(
        number('attacks', ['近一周心绞痛发作次数', 'Attacks in the last week'], ['次', 'times'], {
          possible: [0, 200],
          precision: 0,
          note: '依据受试者日记卡',
          noteEn: 'From the subject’s diary',
        }),
      ),
      requireField(
        radio(
          'duration',
          ['每次持续时间', 'How long each lasted'],
          choices(['<3 分钟', '<3 minutes'], ['3～5 分钟', '3 to 5 minutes'], ['>5 分钟', '>5 minutes']),
          { zl: { show: 'page.attacks > 0' } },
        ),
      ),
      scale(
        'pain',
        ['疼痛程度（VAS）', 'Pain (VAS)'],
        [
          ['无痛', 'No pain'],
          ['中等', 'Moderate'],
          ['最痛', 'Worst pain'],
        ],
        { zl: { show: 'page.attacks > 0' } },
      ),
      checkbox(
        'triggers',
        ['诱因', 'Triggers'],
        choices(
          ['劳累', 'Exertion'],
          ['情绪激动', 'Emotional stress'],
          ['饱餐', 'Heavy meal'],
          ['受寒', 'Exposure to cold'],
          ['静息时发作', 'At rest'],
        ),
        {
          zl: {
            show: 'page.attacks > 0',
            checks: [
              check('at_rest', '"5" in page.triggers', 'query', [
                '静息时发作，请排除不稳定型心绞痛。',
                'Attacks at rest: please rule out unstable angina.',
              ]),
            ],
          },
        },
      ),
      requireField(
        radio(
          'ccs_now',
          ['当前 CCS 分级', 'CCS class now'],
          choices(['Ⅰ级', 'Class I'], ['Ⅱ级', 'Class II'], ['Ⅲ级', 'Class III'], ['Ⅳ级', 'Class IV']),
        ),
      ),
    ),
    group(
      'nitroglycerin',
      ['硝酸甘油（0.5 mg/片）', 'Nitroglycerin (0.5 mg tablets)'],
      requireField(
        yesNo('nitro', ['近一周是否使用硝酸甘油', 'Nitroglycerin used in the last week'], {
          zl: {
            checks: [
              check('nitro_without', 'page.nitro == "1" && page.attacks == 0.0', 'warning', [
                '无心绞痛发作而使用了硝酸甘油，请核对。',
                'Nitroglycerin without an attack; please verify.',
              ]),
            ],
          },
        }),
      ),
      requireField(
        number('nitro_dose', ['硝酸甘油用量', 'Nitroglycerin taken'], ['片/周', 'tablets/week'], {
          possible: [0, 200],
          precision: 0,
          show: 'page.nitro == "1"',
        }),
      ),
    ),
  ],
)

const BAD_TO_GOOD = [
  ['很差', 'Very poor'],
  ['一般', 'Fair'],
  ['很好', 'Very good'],
] as const

export const qualityOfLife = page(
  'QOL',
  ['生活质量自评（VAS）', 'Quality of life (VAS)'],
  [
    group(
      'scales',
      ['请受试者在 0～100 之间标出近一周的感受', 'The subject marks how the last week felt, from 0 to 100'],
      requireField(scale('vas_health', ['总体健康', 'Health as a whole'], BAD_TO_GOOD)),
      requireField(scale('vas_activity', ['日常活动的能力', 'Ability to do daily things'], BAD_TO_GOOD)),
      requireField(scale('vas_sleep', ['睡眠', 'Sleep'], BAD_TO_GOOD)),
      requireField(scale('vas_mood', ['心情', 'Mood'], BAD_TO_GOOD)),
      requireField(scale('vas_ease', ['对心脏不适的安心程度', 'Feeling at ease about the heart'], BAD_TO_GOOD)),
      computeField(
        'vas_mean',
        ['平均分', 'Mean'],
        ['分', 'points'],
        'round(mean([page.vas_health, page.vas_activity, page.vas_sleep, page.vas_mood, page.vas_ease]), 1)',
      ),
    ),
  ],
)

const EFFECTS = choices(
  ['显效', 'Markedly effective'],
  ['有效', 'Effective'],
  ['无效', 'Ineffective'],
  ['加重', 'Worse'],
)

export const effect = page(
  'EFF',
  ['疗效评价', 'Efficacy'],
  [
    group(
      'syndrome',
      ['证候疗效（与基线比较）', 'Effect on the syndrome (against baseline)'],
      computeField('total_base', ['基线证候总积分', 'Total score at baseline'], ['分', 'points'], 'form.BL.SYN.total'),
      computeField('total_now', ['本次证候总积分', 'Total score now'], ['分', 'points'], 'visit.SYN.total'),
      computeField(
        'syn_index',
        ['证候疗效指数', 'Improvement of the score'],
        '%',
        'round((page.total_base - page.total_now) / page.total_base * 100, 1)',
        {
          note: '（基线积分－本次积分）÷ 基线积分 × 100%',
          noteEn: '(score at baseline − score now) ÷ score at baseline × 100%',
        },
      ),
      radio('syn_effect', ['证候疗效', 'Effect on the syndrome'], EFFECTS, {
        zl: {
          note: '显效 ≥70%，有效 30%～70%，无效 0～30%，加重 <0',
          noteEn: 'Markedly effective ≥70%, effective 30% to 70%, ineffective 0 to 30%, worse <0',
          calculate: 'page.syn_index >= 70.0 ? "1" : page.syn_index >= 30.0 ? "2" : page.syn_index >= 0.0 ? "3" : "4"',
        },
      }),
    ),
    group(
      'angina',
      ['心绞痛疗效（与基线比较）', 'Effect on angina (against baseline)'],
      computeField(
        'attack_index',
        ['发作次数减少率', 'Fewer attacks'],
        '%',
        'round((form.BL.AP.attacks - visit.AP.attacks) / form.BL.AP.attacks * 100, 1)',
      ),
      radio('attack_effect', ['心绞痛疗效', 'Effect on angina'], EFFECTS, {
        zl: {
          note: '显效 ≥80%，有效 50%～80%，无效 0～50%，加重 <0',
          noteEn: 'Markedly effective ≥80%, effective 50% to 80%, ineffective 0 to 50%, worse <0',
          calculate:
            'page.attack_index >= 80.0 ? "1" : page.attack_index >= 50.0 ? "2" : page.attack_index >= 0.0 ? "3" : "4"',
        },
      }),
      computeField(
        'nitro_index',
        ['硝酸甘油停减率', 'Less nitroglycerin'],
        '%',
        'visit.AP.nitro == "0" && form.BL.AP.nitro == "1" ? 100.0 : round((form.BL.AP.nitro_dose - visit.AP.nitro_dose) / form.BL.AP.nitro_dose * 100, 1)',
      ),
    ),
    group(
      'judgement',
      ['研究者判断', 'Judgement of the investigator'],
      requireField(
        radio('judged', ['研究者综合判断', 'Judgement of the investigator'], EFFECTS, {
          zl: {
            checks: [
              check('judged', 'page.judged != page.syn_effect', 'query', [
                '研究者判断与按积分计算的证候疗效不同，请说明。',
                'The judgement differs from the effect that the score gives; please explain.',
              ]),
            ],
          },
        }),
      ),
      longText('judged_why', ['说明', 'Explanation'], { zl: { require: 'page.judged != page.syn_effect' } }),
      requireField(date('judged_on', ['评价日期', 'Date of judgement'])),
    ),
  ],
)
