/** True if the status of an answer is 2xx. Null stands for no answer. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** True if the status of an answer is 4xx: the other side refused the request. */
export function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}
