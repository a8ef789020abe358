import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Design } from '#core/design/design.ts'
import type { RuleKey } from '#core/design/rules/ruleList.ts'
import { rulesOf } from '#core/design/rules/ruleList.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './rules.module.css'

interface FaultListProps {
  readonly design: Design
  readonly projectId: string
  readonly crfId: string
  readonly onChoose: (address: RuleKey) => void
}

/** Rules that failed on saved entries, each with links to the rule and to the last entry on which it failed. */
export function FaultList({ design, projectId, crfId, onChoose }: FaultListProps) {
  const names = useNames()
  const { t } = useTranslation('rules')
  const read = useServerQuery('version.ruleFaults', { query: { crfId }, projectId })
  const rules = rulesOf(design)
  return (
    <section className={classes.card} aria-label={t('faults.title')}>
      <h2 className={classes.cardTitle}>{t('faults.title')}</h2>
      <p className={classes.hint}>{t('faults.hint')}</p>
      <Loaded of={read} rows={2}>
        {(lines) =>
          lines.length === 0 ? (
            <p className={classes.hint}>{t('faults.empty')}</p>
          ) : (
            <div className={classes.graphBox}>
              <table className={classes.faults}>
                <thead>
                  <tr>
                    {(['rule', 'version', 'why', 'count', 'first', 'last', 'entry'] as const).map((column) => (
                      <th key={column} scope="col">
                        {t(`faults.${column}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {lines.map(
                    ({ version, pageId, pageName, pageNameEn, field, role, kind, count, firstAt, lastAt, last }) => {
                      const name = `${t(`kinds.${role}`)} · ${names.page({ pageName, pageNameEn })} · ${field}`
                      const rule = rules.find(
                        ({ address }) => address.pageId === pageId && address.prop === field && address.kind === role,
                      )
                      return (
                        <tr key={`${version} ${pageId} ${field} ${role}`}>
                          <td>
                            {rule === undefined ? (
                              name
                            ) : (
                              <button type="button" className={classes.asLink} onClick={() => onChoose(rule.address)}>
                                {name}
                              </button>
                            )}
                          </td>
                          <td>{version}</td>
                          <td>{t(`faults.kinds.${kind}`)}</td>
                          <td>{count}</td>
                          <td>{fullTime(firstAt)}</td>
                          <td>{fullTime(lastAt)}</td>
                          <td>
                            {last !== null && (
                              <Link to={entryPath(projectId, last.patientId, last.entryId)}>{last.patient}</Link>
                            )}
                          </td>
                        </tr>
                      )
                    },
                  )}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </section>
  )
}
