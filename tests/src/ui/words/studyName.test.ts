import { expect, test } from 'vitest'
import { shortStudyName } from '#src/ui/words/studyName.ts'

test.each([
  ['示例：芎丹通络胶囊治疗稳定型心绞痛（气滞血瘀证）的随机、双盲、多中心研究', '芎丹通络胶囊治疗稳定型心绞痛'],
  ['心绞痛研究', '心绞痛研究'],
  ['Demo: Xiongdan Tongluo for stable angina (qi stagnation)', 'Xiongdan Tongluo for stable angina'],
  ['AEGIS: a randomised trial', 'AEGIS'],
  ['（试验）', '（试验）'],
  ['HEART-2: a randomised, double-blind trial of one thing', 'HEART-2'],
  ['评价某某颗粒联合标准治疗对慢性心力衰竭患者运动耐量影响的研究', '评价某某颗粒联合标准治疗对慢性心力…'],
])('%s is called %s', (name, called) => {
  expect(shortStudyName(name)).toBe(called)
})
