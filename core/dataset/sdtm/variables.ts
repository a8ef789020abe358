import type { SdtmClass } from './mapping.ts'

/**
 * The variables that tables of each class may have, in SDTM's order, with the labels of the implementation guide. `--`
 * stands for the two letters of the table.
 */

export interface SdtmVariable {
  readonly name: string
  readonly label: string
  /** `date`: a text of ISO 8601, of which parts may be unknown. */
  readonly type: 'text' | 'number' | 'date'
  /** Written by itself, and never by a mapping. */
  readonly isOwn: boolean
  readonly isRequired: boolean
}

type Line = readonly [name: string, label: string, kind?: 'own' | 'required' | 'topic']

const IDENTIFIERS: readonly Line[] = [
  ['STUDYID', 'Study Identifier', 'own'],
  ['DOMAIN', 'Domain Abbreviation', 'own'],
  ['USUBJID', 'Unique Subject Identifier', 'own'],
]

const DEMOGRAPHICS: readonly Line[] = [
  ...IDENTIFIERS,
  ['SUBJID', 'Subject Identifier for the Study', 'own'],
  ['RFSTDTC', 'Subject Reference Start Date/Time'],
  ['RFENDTC', 'Subject Reference End Date/Time'],
  ['RFXSTDTC', 'Date/Time of First Study Treatment'],
  ['RFXENDTC', 'Date/Time of Last Study Treatment'],
  ['RFICDTC', 'Date/Time of Informed Consent'],
  ['RFPENDTC', 'Date/Time of End of Participation'],
  ['DTHDTC', 'Date/Time of Death'],
  ['DTHFL', 'Subject Death Flag'],
  ['SITEID', 'Study Site Identifier', 'required'],
  ['INVID', 'Investigator Identifier'],
  ['INVNAM', 'Investigator Name'],
  ['BRTHDTC', 'Date/Time of Birth'],
  ['AGE', 'Age'],
  ['AGEU', 'Age Units'],
  ['SEX', 'Sex', 'required'],
  ['RACE', 'Race'],
  ['ETHNIC', 'Ethnicity'],
  ['ARMCD', 'Planned Arm Code'],
  ['ARM', 'Description of Planned Arm'],
  ['ACTARMCD', 'Actual Arm Code'],
  ['ACTARM', 'Description of Actual Arm'],
  ['COUNTRY', 'Country'],
  ['DMDTC', 'Date/Time of Collection'],
]

const FINDINGS: readonly Line[] = [
  ...IDENTIFIERS,
  ['--SEQ', 'Sequence Number', 'own'],
  ['--GRPID', 'Group ID'],
  ['--SPID', 'Sponsor-Defined Identifier'],
  ['--TESTCD', 'Test Short Name', 'own'],
  ['--TEST', 'Test Name', 'own'],
  ['--CAT', 'Category'],
  ['--SCAT', 'Subcategory'],
  ['--POS', 'Position of Subject During Observation'],
  ['--ORRES', 'Result or Finding in Original Units', 'own'],
  ['--ORRESU', 'Original Units', 'own'],
  ['--ORNRLO', 'Reference Range Lower Limit in Orig Unit'],
  ['--ORNRHI', 'Reference Range Upper Limit in Orig Unit'],
  ['--STRESC', 'Character Result/Finding in Std Format', 'own'],
  ['--STRESN', 'Numeric Result/Finding in Standard Units', 'own'],
  ['--STRESU', 'Standard Units', 'own'],
  ['--STNRLO', 'Reference Range Lower Limit-Std Units'],
  ['--STNRHI', 'Reference Range Upper Limit-Std Units'],
  ['--NRIND', 'Reference Range Indicator'],
  ['--STAT', 'Completion Status', 'own'],
  ['--REASND', 'Reason Not Done', 'own'],
  ['--NAM', 'Vendor Name'],
  ['--LOINC', 'LOINC Code'],
  ['--SPEC', 'Specimen Type'],
  ['--LOC', 'Location'],
  ['--LAT', 'Laterality'],
  ['--METHOD', 'Method of Test or Examination'],
  ['--FAST', 'Fasting Status'],
  ['--EVAL', 'Evaluator'],
  ['--TOXGR', 'Standard Toxicity Grade'],
  ['--CLSIG', 'Clinically Significant, Collected'],
  ['VISITNUM', 'Visit Number', 'own'],
  ['VISIT', 'Visit Name', 'own'],
  ['EPOCH', 'Epoch'],
  ['--DTC', 'Date/Time of Collection'],
  ['--ENDTC', 'End Date/Time of Observation'],
  ['--TPT', 'Planned Time Point Name'],
  ['--TPTNUM', 'Planned Time Point Number'],
]

const EVENTS: readonly Line[] = [
  ...IDENTIFIERS,
  ['--SEQ', 'Sequence Number', 'own'],
  ['--GRPID', 'Group ID'],
  ['--SPID', 'Sponsor-Defined Identifier'],
  ['--TERM', 'Reported Term', 'topic'],
  ['--MODIFY', 'Modified Reported Term'],
  ['--LLT', 'Lowest Level Term'],
  ['--DECOD', 'Dictionary-Derived Term'],
  ['--CAT', 'Category'],
  ['--SCAT', 'Subcategory'],
  ['--PRESP', 'Pre-Specified'],
  ['--OCCUR', 'Occurrence'],
  ['--BODSYS', 'Body System or Organ Class'],
  ['--LOC', 'Location'],
  ['--SEV', 'Severity/Intensity'],
  ['--SER', 'Serious Event'],
  ['--ACN', 'Action Taken with Study Treatment'],
  ['--ACNOTH', 'Other Action Taken'],
  ['--REL', 'Causality'],
  ['--RELNST', 'Relationship to Non-Study Treatment'],
  ['--PATT', 'Pattern of Event'],
  ['--OUT', 'Outcome of Event'],
  ['--SCONG', 'Congenital Anomaly or Birth Defect'],
  ['--SDISAB', 'Persist or Signif Disability/Incapacity'],
  ['--SDTH', 'Results in Death'],
  ['--SHOSP', 'Requires or Prolongs Hospitalization'],
  ['--SLIFE', 'Is Life Threatening'],
  ['--SMIE', 'Other Medically Important Serious Event'],
  ['--CONTRT', 'Concomitant or Additional Trtmnt Given'],
  ['--TOXGR', 'Standard Toxicity Grade'],
  ['EPOCH', 'Epoch'],
  ['--DTC', 'Date/Time of Collection'],
  ['--STDTC', 'Start Date/Time of Event'],
  ['--ENDTC', 'End Date/Time of Event'],
  ['--ENRF', 'End Relative to Reference Period'],
  ['--ENRTPT', 'End Relative to Reference Time Point'],
  ['--ENTPT', 'End Reference Time Point'],
]

const INTERVENTIONS: readonly Line[] = [
  ...IDENTIFIERS,
  ['--SEQ', 'Sequence Number', 'own'],
  ['--GRPID', 'Group ID'],
  ['--SPID', 'Sponsor-Defined Identifier'],
  ['--TRT', 'Reported Name of Treatment', 'topic'],
  ['--MODIFY', 'Modified Reported Name'],
  ['--DECOD', 'Standardized Treatment Name'],
  ['--CAT', 'Category'],
  ['--SCAT', 'Subcategory'],
  ['--PRESP', 'Pre-Specified'],
  ['--OCCUR', 'Occurrence'],
  ['--INDC', 'Indication'],
  ['--CLAS', 'Class'],
  ['--CLASCD', 'Class Code'],
  ['--DOSE', 'Dose per Administration'],
  ['--DOSTXT', 'Dose Description'],
  ['--DOSU', 'Dose Units'],
  ['--DOSFRM', 'Dose Form'],
  ['--DOSFRQ', 'Dosing Frequency per Interval'],
  ['--DOSTOT', 'Total Daily Dose'],
  ['--ROUTE', 'Route of Administration'],
  ['EPOCH', 'Epoch'],
  ['--DTC', 'Date/Time of Collection'],
  ['--STDTC', 'Start Date/Time of Treatment'],
  ['--ENDTC', 'End Date/Time of Treatment'],
  ['--ENRF', 'End Relative to Reference Period'],
  ['--ENRTPT', 'End Relative to Reference Time Point'],
  ['--ENTPT', 'End Reference Time Point'],
]

/** Where a table's own label of a variable differs from that of its class. */
const OWN_LABELS: ReadonlyMap<string, string> = new Map([
  ['VSTESTCD', 'Vital Signs Test Short Name'],
  ['VSTEST', 'Vital Signs Test Name'],
  ['VSCAT', 'Category for Vital Signs'],
  ['VSPOS', 'Vital Signs Position of Subject'],
  ['VSREASND', 'Reason Not Performed'],
  ['VSLOC', 'Location of Vital Signs Measurement'],
  ['VSDTC', 'Date/Time of Measurements'],
  ['LBTESTCD', 'Lab Test or Examination Short Name'],
  ['LBTEST', 'Lab Test or Examination Name'],
  ['LBCAT', 'Category for Lab Test'],
  ['LBSCAT', 'Subcategory for Lab Test'],
  ['LBREASND', 'Reason Test Not Done'],
  ['LBDTC', 'Date/Time of Specimen Collection'],
  ['AETERM', 'Reported Term for the Adverse Event'],
  ['AEOUT', 'Outcome of Adverse Event'],
  ['AECAT', 'Category for Adverse Event'],
  ['AESTDTC', 'Start Date/Time of Adverse Event'],
  ['AEENDTC', 'End Date/Time of Adverse Event'],
  ['CMTRT', 'Reported Name of Drug, Med, or Therapy'],
  ['CMDECOD', 'Standardized Medication Name'],
  ['CMCAT', 'Category for Medication'],
  ['CMSCAT', 'Subcategory for Medication'],
  ['CMCLAS', 'Medication Class'],
  ['CMSTDTC', 'Start Date/Time of Medication'],
  ['CMENDTC', 'End Date/Time of Medication'],
  ['DVTERM', 'Protocol Deviation Term'],
  ['DVDECOD', 'Protocol Deviation Coded Term'],
  ['DVCAT', 'Category for Protocol Deviation'],
  ['DVSCAT', 'Subcategory for Protocol Deviation'],
  ['DVSTDTC', 'Start Date/Time of Deviation'],
  ['DVENDTC', 'End Date/Time of Deviation'],
])

const LINES: Readonly<Record<SdtmClass, readonly Line[]>> = {
  'special-purpose': DEMOGRAPHICS,
  findings: FINDINGS,
  events: EVENTS,
  interventions: INTERVENTIONS,
}

const NUMBERS = /^(AGE|VISITNUM|..(SEQ|STRESN|STNRLO|STNRHI|DOSE|DOSTOT|TPTNUM))$/

/** The tables whose class is settled. */
const CLASSES: Readonly<Record<string, SdtmClass>> = {
  DM: 'special-purpose',
  VS: 'findings',
  LB: 'findings',
  EG: 'findings',
  PE: 'findings',
  QS: 'findings',
  SC: 'findings',
  AE: 'events',
  MH: 'events',
  DS: 'events',
  CE: 'events',
  DV: 'events',
  CM: 'interventions',
  EX: 'interventions',
  SU: 'interventions',
  PR: 'interventions',
}

/** The class that a table has; null where nobody has settled it. */
export function classOf(domain: string): SdtmClass | null {
  return CLASSES[domain] ?? null
}

/** All variables that a table may have. */
export function variablesOf(domain: string, of: SdtmClass): readonly SdtmVariable[] {
  return LINES[of].map(([pattern, label, kind]) => {
    const name = pattern.replace('--', domain)
    return {
      name,
      label: OWN_LABELS.get(name) ?? label,
      type: name.endsWith('DTC') ? 'date' : NUMBERS.test(name) ? 'number' : 'text',
      isOwn: kind === 'own',
      isRequired: kind !== undefined && !/(ORRES|STRES|STAT$|REASND$|VISIT)/.test(name),
    }
  })
}

/** What the rows of a table of events or interventions are about; null for other classes. */
export function topicOf(domain: string, of: SdtmClass): string | null {
  if (of === 'events') return `${domain}TERM`
  return of === 'interventions' ? `${domain}TRT` : null
}
