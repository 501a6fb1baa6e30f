// error: porpentine/checker/check.h.*(No such file|not found)
// History stands below the checker and must not know it.
#include <porpentine/history/history.h>
#ifdef PORPENTINE_MISUSE
#include <porpentine/checker/check.h>
#endif
