import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Real dictionaries, which are not part of the product. Tests that read them are left out, saying so, where they are not. */

export const SAMPLES = process.env['SAMPLES_DIR'] ?? join(import.meta.dirname, '../../../../shared/samples')

export const HAS_SAMPLES = existsSync(join(SAMPLES, 'facts.json'))

if (!HAS_SAMPLES) process.stderr.write(`${SAMPLES} is not on this machine: nothing is tested on the dictionaries of real studies.\n`)

/** The dictionaries among the samples; what begins with `data_` are records. */
export const DICTIONARIES = HAS_SAMPLES ? readdirSync(join(SAMPLES, 'redcap')).filter((name) => name.endsWith('.csv') && !name.startsWith('data_')) : []
