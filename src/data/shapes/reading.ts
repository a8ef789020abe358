import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'

/** The answer to a question to the device. */
export type Reading<Value> = Promise<Result<Value, ApiError>>
