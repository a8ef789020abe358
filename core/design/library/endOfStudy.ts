import {
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

/** End of study (CDASH DS). Reasons are those of the CDISC codelist NCOMPLT. */
export const endOfStudy: LibraryPage = {
  id: 'lib-DS',
  part: 'general',
  pageCode: 'DS',
  name: { zh: '研究结束', en: 'End of study' },
  about: {
    zh: '完成或提前退出、原因、末次用药与末次访视',
    en: 'Completed or not, the reason, the last dose and the last visit',
  },
  repeatable: false,
  option: option(
    part(
      'disposition',
      ['研究完成情况', 'Disposition'],
      requireField(yesNo('DSCOMP', ['是否完成研究', 'Completed the study'])),
      requireField(
        date('DSSTDAT', ['完成或退出日期', 'Date of completion or withdrawal'], { checks: [notInFuture('DSSTDAT')] }),
      ),
      requireField(
        radio(
          'DSDECOD',
          ['未完成的原因', 'Reason not completed'],
          [
            choice('ADVERSE EVENT', ['不良事件', 'Adverse event']),
            choice('LACK OF EFFICACY', ['缺乏疗效', 'Lack of efficacy']),
            choice('LOST TO FOLLOW-UP', ['失访', 'Lost to follow-up']),
            choice('WITHDRAWAL BY SUBJECT', ['受试者撤回同意', 'Withdrawal by the subject']),
            choice('PROTOCOL DEVIATION', ['违背方案', 'Protocol deviation']),
            choice('PREGNANCY', ['妊娠', 'Pregnancy']),
            choice('PHYSICIAN DECISION', ['研究者决定', 'Decision of the physician']),
            choice('DEATH', ['死亡', 'Death']),
            choice('STUDY TERMINATED BY SPONSOR', ['申办者终止研究', 'Study terminated by the sponsor']),
            choice('OTHER', ['其他', 'Other']),
          ],
          { show: 'page.DSCOMP == "N"' },
        ),
      ),
      requireField(
        longText('DSTERM', ['原因说明', 'Details'], {
          show: 'page.DSDECOD == "OTHER" || page.DSDECOD == "ADVERSE EVENT" || page.DSDECOD == "PROTOCOL DEVIATION"',
        }),
      ),
      requireField(
        date('DTHDAT', ['死亡日期', 'Date of death'], {
          show: 'page.DSDECOD == "DEATH"',
          checks: [notInFuture('DTHDAT')],
        }),
      ),
    ),
    part(
      'last',
      ['末次用药与访视', 'Last dose and visit'],
      date('EXENDAT', ['末次用药日期', 'Date of the last dose'], {
        checks: [
          notInFuture('EXENDAT'),
          inOrder('EXENDATOrder', 'page.EXENDAT', 'page.DSSTDAT', [
            '末次用药晚于研究结束日期。',
            'The last dose is after the end of the study.',
          ]),
        ],
      }),
      date('SVENDAT', ['末次访视日期', 'Date of the last visit'], { checks: [notInFuture('SVENDAT')] }),
      yesNo('DSUNBLND', ['是否紧急揭盲', 'Unblinded in an emergency']),
    ),
    part(
      'signature',
      ['研究者', 'Investigator'],
      text('DSINV', ['研究者姓名', 'Name of the investigator'], { identifier: true }),
      longText('DSCOMMENT', ['备注', 'Comment']),
    ),
  ),
}
