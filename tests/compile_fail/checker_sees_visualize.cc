// error: porpentine/visualize/html.h.*(No such file|not found)
// The checker stands below the pages and must not know them.
#include <porpentine/checker/check.h>
#ifdef PORPENTINE_MISUSE
#include <porpentine/visualize/html.h>
#endif
