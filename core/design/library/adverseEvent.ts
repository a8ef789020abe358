import {
  check,
  checkbox,
  choice,
  date,
  inOrder,
  longText,
  notInFuture,
  option,
  part,
  radio,
  requireField,
  text,
  yesNo,
} from './columns.ts'
import type { LibraryPage } from './libraryPage.ts'

/** Adverse event (CDASH AE), one on each page. Choices are those of the CDISC codelists AESEV, ACN, OUT. */
export const adverseEvent: LibraryPage = {
  id: 'lib-AE',
  part: 'general',
  pageCode: 'AE',
  name: { zh: '不良事件', en: 'Adverse event' },
  about: {
    zh: '每页一件：名称、起止、严重程度、与研究药物的关系、处理与转归',
    en: 'One a page: term, dates, severity, relation to the study drug, action taken and outcome',
  },
  repeatable: true,
  option: option(
    part(
      'event',
      ['不良事件', 'Event'],
      requireField({ ...text('AETERM', ['不良事件名称', 'Adverse event']), encode: true }),
      requireField(date('AESTDAT', ['开始日期', 'Start date'], { partial: 'month', checks: [notInFuture('AESTDAT')] })),
      requireField(yesNo('AEONGO', ['是否持续', 'Ongoing'])),
      requireField(
        date('AEENDAT', ['结束日期', 'End date'], {
          partial: 'month',
          show: 'page.AEONGO == "N"',
          checks: [
            notInFuture('AEENDAT'),
            inOrder('AEENDATOrder', 'page.AESTDAT', 'page.AEENDAT', [
              '结束日期早于开始日期。',
              'The end is before the start.',
            ]),
          ],
        }),
      ),
      requireField(
        radio(
          'AESEV',
          ['严重程度', 'Severity'],
          [
            choice('MILD', ['轻度', 'Mild']),
            choice('MODERATE', ['中度', 'Moderate']),
            choice('SEVERE', ['重度', 'Severe']),
          ],
        ),
      ),
    ),
    part(
      'serious',
      ['严重不良事件', 'Seriousness'],
      requireField(yesNo('AESER', ['是否为严重不良事件', 'Serious'])),
      requireField(
        checkbox(
          'AESERCRIT',
          ['严重不良事件的标准', 'Criteria'],
          [
            choice('AESDTH', ['死亡', 'Results in death']),
            choice('AESLIFE', ['危及生命', 'Is life threatening']),
            choice('AESHOSP', ['住院或延长住院', 'Requires or prolongs hospitalisation']),
            choice('AESDISAB', ['永久或显著的残疾', 'Persistent or significant disability']),
            choice('AESCONG', ['先天异常或出生缺陷', 'Congenital anomaly or birth defect']),
            choice('AESMIE', ['其他重要医学事件', 'Other medically important event']),
          ],
          { show: 'page.AESER == "Y"' },
        ),
      ),
      requireField(
        date('AESERDAT', ['获知日期', 'Date of awareness'], {
          show: 'page.AESER == "Y"',
          checks: [
            notInFuture('AESERDAT'),
            check('AESERDATLate', 'days(page.AESERDAT, today) > 1.0', 'warning', [
              '严重不良事件应在获知后 24 小时内报告。',
              'A serious adverse event is to be reported within 24 hours.',
            ]),
          ],
        }),
      ),
    ),
    part(
      'judgement',
      ['判断与处理', 'Judgement and action'],
      requireField(
        radio(
          'AEREL',
          ['与研究药物的关系', 'Relation to the study drug'],
          [
            choice('DEFINITE', ['肯定有关', 'Definite']),
            choice('PROBABLE', ['很可能有关', 'Probable']),
            choice('POSSIBLE', ['可能有关', 'Possible']),
            choice('UNLIKELY', ['可能无关', 'Unlikely']),
            choice('NOT RELATED', ['肯定无关', 'Not related']),
          ],
        ),
      ),
      requireField(
        radio(
          'AEACN',
          ['对研究药物的处理', 'Action taken with the study drug'],
          [
            choice('DOSE NOT CHANGED', ['剂量不变', 'Dose not changed']),
            choice('DOSE REDUCED', ['减量', 'Dose reduced']),
            choice('DOSE INCREASED', ['加量', 'Dose increased']),
            choice('DRUG INTERRUPTED', ['暂停用药', 'Drug interrupted']),
            choice('DRUG WITHDRAWN', ['停用', 'Drug withdrawn']),
            choice('NOT APPLICABLE', ['不适用', 'Not applicable']),
          ],
        ),
      ),
      requireField(yesNo('AECONTRT', ['是否给予治疗', 'Treatment given'])),
      requireField(longText('AECONTRTSP', ['治疗措施', 'Treatment'], { show: 'page.AECONTRT == "Y"' })),
      requireField(
        radio(
          'AEOUT',
          ['转归', 'Outcome'],
          [
            choice('RECOVERED/RESOLVED', ['痊愈', 'Recovered']),
            choice('RECOVERING/RESOLVING', ['好转', 'Recovering']),
            choice('NOT RECOVERED/NOT RESOLVED', ['未愈', 'Not recovered']),
            choice('RECOVERED/RESOLVED WITH SEQUELAE', ['痊愈但有后遗症', 'Recovered with sequelae']),
            choice('FATAL', ['死亡', 'Fatal']),
            choice('UNKNOWN', ['未知', 'Unknown']),
          ],
          {
            checks: [
              check(
                'AEOUTOngoing',
                'page.AEONGO == "Y" && (page.AEOUT == "RECOVERED/RESOLVED" || page.AEOUT == "FATAL")',
                'error',
                ['事件仍在持续，与转归不符。', 'The event is ongoing, which contradicts the outcome.'],
              ),
              check('AEOUTFatal', 'page.AEOUT == "FATAL" && page.AESER == "N"', 'error', [
                '转归为死亡的应为严重不良事件。',
                'A fatal event is a serious one.',
              ]),
            ],
          },
        ),
      ),
      yesNo('AEDIS', ['是否因此退出研究', 'Caused withdrawal from the study']),
    ),
  ),
}
