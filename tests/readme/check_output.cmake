# Fails unless README holds the history that its example command judges, and what PORPENTINE prints about it.
file(READ ${README} text)
if(NOT text MATCHES "\n\\$ porpentine check ([^\n]+)\n")
  message(FATAL_ERROR "The README shows no porpentine check")
endif()
set(file ${CMAKE_MATCH_1})

file(READ ${file} history)
string(FIND "${text}" "\n```json\n${history}```\n" position)
if(position EQUAL -1)
  message(FATAL_ERROR "The README's history is not that of ${file}:\n${history}")
endif()

execute_process(COMMAND ${PORPENTINE} check ${file} OUTPUT_VARIABLE output)
string(FIND "${text}" "\n$ porpentine check ${file}\n${output}```\n" position)
if(position EQUAL -1)
  message(FATAL_ERROR "The README does not show what the command prints:\n${output}")
endif()
